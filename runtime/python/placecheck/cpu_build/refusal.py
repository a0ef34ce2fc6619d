"""What virtual GPUs do not have says so by name."""


def refuse(what: str):
    raise NotImplementedError(f"placecheck: not supported on virtual GPUs: {what}")


def refusing(what: str):
    """A function that refuses, whatever it is called with."""

    def refused(*_arguments, **_keywords):
        refuse(what)

    refused.__name__ = what.rpartition(".")[2]
    return refused
