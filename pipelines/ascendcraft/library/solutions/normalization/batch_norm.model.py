import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(num_features))
        self.bias = torch.nn.Parameter(torch.zeros(num_features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.batch_norm_custom(x, self.weight, self.bias, 1e-5)
