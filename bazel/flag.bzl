"""A constant that `config_setting` can match: `available` is true where the thing was found."""

def _bool_constant_impl(_ctx):
    return []

bool_constant = rule(
    implementation = _bool_constant_impl,
    build_setting = config.bool(flag = False),
)
