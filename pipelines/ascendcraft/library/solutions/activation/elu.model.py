import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.elu_custom(x, self.alpha)
