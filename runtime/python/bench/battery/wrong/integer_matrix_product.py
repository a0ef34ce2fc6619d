# Co-occurrence counts are computed as a product of int64 matrices, which cuBLAS does not do.
# raises: NotImplementedError: "addmm_cuda" not implemented for 'Long'
import torch


class CoOccurrence:
    def __init__(self, vocabulary, device):
        self.vocabulary = vocabulary
        self.counts = torch.zeros(vocabulary, vocabulary, dtype=torch.long, device=device)

    def update(self, documents):
        present = torch.zeros(documents.size(0), self.vocabulary, dtype=torch.long, device=documents.device)
        present.scatter_(1, documents, 1)
        self.counts += present.t() @ present  # raises

    def pmi(self):
        joint = self.counts.double() / self.counts.sum()
        single = joint.sum(dim=0)
        return torch.log(joint / torch.outer(single, single))


device = torch.device("cuda:0")
documents = torch.randint(0, 12, (30, 5), device=device)
table = CoOccurrence(12, device)
table.update(documents)
print(table.pmi().max().item())
