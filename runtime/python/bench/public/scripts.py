"""The public training scripts, how each is started, and which move of theirs is taken out."""

from typing import Dict, NamedTuple, Tuple

# What stands in a script, and what is put in its place.
Edit = Tuple[str, str]


class Script(NamedTuple):
    """A training script of a public repository.

    `folder` is where it is started, relative to the repository; `command` follows the interpreter. `loss` finds
    a loss in what it prints. `removed` takes one move to the device out of `file`, and the error is then raised
    in the line `fails_at`, of `file` or of `fails_in`. `on_cpu` adds arguments for the run on the CPU; `cpu_edits`
    are for scripts that do something else there than on a GPU, beside the device. `data` names what data.py writes,
    and where.
    """
    name: str
    repository: str
    folder: str
    file: str
    command: str
    loss: str
    removed: Edit
    fails_at: str
    fails_in: str = ""
    on_cpu: str = ""
    on_gpu: str = ""
    cpu_edits: Tuple[Edit, ...] = ()
    data: Dict[str, str] = {}


_EXAMPLES = "pytorch/examples"
_MNIST = {"mnist": "../data"}
_ON_CPU = ("torch.accelerator.current_accelerator()", 'torch.device("cpu")')
_PRINTED = r"Loss: ([0-9.]+)"

SCRIPTS = (
    Script("mnist", _EXAMPLES, "mnist", "main.py", "main.py --epochs=1 --log-interval=1", _PRINTED,
           ("data, target = data.to(device), target.to(device)\n        optimizer",
            "target = target.to(device)\n        optimizer"),
           "x = self.conv1(x)", data=_MNIST,
           cpu_edits=(_ON_CPU,)),  # with --no-accel it does not shuffle
    Script("imagenet, two GPUs by DataParallel", _EXAMPLES, "imagenet", "main.py",
           "main.py --dummy --arch=alexnet --batch-size=8 --workers=0 --print-freq=1 --seed=1",
           r"Loss ([0-9.e+-]+)",
           ("target = target.to(device, non_blocking=True)\n\n"
            "        # compute output\n        output = model(images)\n"
            "        loss = criterion(output, target)\n\n        # measure",
            "\n\n        # compute output\n        output = model(images)\n"
            "        loss = criterion(output, target)\n\n        # measure"),
           "loss = criterion(output, target)", on_cpu="--no-accel"),
    Script("vae", _EXAMPLES, "vae", "main.py", "main.py --epochs=1 --log-interval=1", _PRINTED,
           ("data = data.to(device)\n        optimizer", "optimizer"), "h1 = F.relu(self.fc1(x))",
           on_cpu="--no-accel", data=_MNIST),
    Script("siamese_network", _EXAMPLES, "siamese_network", "main.py", "main.py --epochs=1 --log-interval=1",
           _PRINTED, ("targets.to(device)\n        optimizer", "targets\n        optimizer"),
           "loss = criterion(outputs, targets)", data=_MNIST,
           cpu_edits=(_ON_CPU,)),  # with --no-accel its pairs come from a generator without a seed
    Script("mnist_rnn", _EXAMPLES, "mnist_rnn", "main.py", "main.py --epochs=1 --log-interval=1", _PRINTED,
           ("data, target = data.to(device), target.to(device)\n        optimizer",
            "data = data.to(device)\n        optimizer"),
           "loss = F.nll_loss(output, target)", on_gpu="--accel", data=_MNIST),
    Script("dcgan", _EXAMPLES, "dcgan", "main.py",
           "main.py --dataset=fake --workers=0 --batchSize=8 --imageSize=64 --ngf=8 --ndf=8 --manualSeed=1",
           r"Loss_[DG]: ([0-9.]+)", ("real_cpu = data[0].to(device)", "real_cpu = data[0]"),
           "output = self.main(input)", on_gpu="--accel"),
    Script("nanoGPT", "karpathy/nanoGPT", ".", "train.py",
           "train.py config/train_shakespeare_char.py --compile=False --dtype='float32' --eval_iters=1 "
           "--log_interval=1 "
           "--block_size=32 --batch_size=4 --n_layer=2 --n_head=2 --n_embd=32 --max_iters=20", r": loss ([0-9.]+)",
           ("x, y = x.pin_memory().to(device, non_blocking=True), ", "x, y = x, "),
           "tok_emb = self.transformer.wte(idx)", fails_in="model.py", on_cpu="--device=cpu",
           data={"characters": "data/shakespeare_char"}),
    Script("minGPT adder", "karpathy/minGPT", ".", "mingpt/trainer.py",
           "projects/adder/adder.py --trainer.num_workers=0", r"train loss ([0-9.]+)",
           ("batch = [t.to(self.device) for t in batch]", "pass"), "tok_emb = self.transformer.wte(idx)",
           fails_in="mingpt/model.py", on_cpu="--trainer.device=cpu"),
    Script("Lightning Fabric, two processes by DDP", "Lightning-AI/pytorch-lightning",
           "examples/fabric/image_classifier", "train_fabric.py",
           "-m lightning.fabric.cli --devices=2 --strategy=ddp {placement} train_fabric.py "
           "--epochs=1 --log-interval=1 --batch-size=32", _PRINTED,
           ("fabric.setup_dataloaders(train_loader, test_loader)", "(train_loader, test_loader)"),
           "loss = F.nll_loss(output, target)", on_cpu="--accelerator=cpu", on_gpu="--accelerator=cuda",
           data={"mnist": "../../../Datasets"}),
    Script("Lightning, MNIST in plain PyTorch", "Lightning-AI/pytorch-lightning",
           "examples/fabric/image_classifier", "train_torch.py", "train_torch.py --epochs=1 --log-interval=1",
           _PRINTED, ("model = Net().to(device)", "model = Net()"), "x = self.conv1(x)",
           data={"mnist": "../../../Datasets"},
           cpu_edits=(('torch.device("cuda")', 'torch.device("cpu")'),)),
)
