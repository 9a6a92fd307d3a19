import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.num_features = num_features

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.instance_norm_custom(x, 1e-5)
