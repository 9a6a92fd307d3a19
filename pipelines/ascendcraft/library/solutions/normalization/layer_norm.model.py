import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, normalized_shape: tuple) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(normalized_shape))
        self.bias = torch.nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.layer_norm_custom(x, self.weight, self.bias, 1e-5)
