import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, dim: int = 1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.log_softmax_custom(x, self.dim)
