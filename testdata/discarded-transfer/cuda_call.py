# .cuda() is called on tensors for an effect that it does not have.
import torch


class Predictor:
    def __init__(self, net, use_gpu):
        self.net = net
        self.use_gpu = use_gpu
        if use_gpu:
            self.net.cuda()

    def predict(self, samples):
        X = torch.stack(samples)
        if self.use_gpu:
            X.cuda()  # expect: discarded-transfer
        with torch.no_grad():
            return self.net(X).cpu()  # expect: device-mismatch


predictor = Predictor(torch.nn.Linear(3, 2), torch.cuda.is_available())
predictor.predict([torch.randn(3) for _ in range(4)])
