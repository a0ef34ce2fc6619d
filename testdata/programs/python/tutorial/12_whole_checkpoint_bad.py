# A checkpoint with two state dicts is loaded as one.
# raises: RuntimeError: Missing key(s) in state_dict: "weight", "bias". ... Unexpected key(s) in state_dict: "encoder", "decoder".
import torch

encoder, decoder = torch.nn.Linear(4, 2).cuda(), torch.nn.Linear(4, 2).cuda()
torch.save({"encoder": encoder.state_dict(), "decoder": decoder.state_dict()}, "checkpoint.pkl")
encoder.load_state_dict(torch.load("checkpoint.pkl"))  # raises
