import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.rms_norm_custom(x, self.eps)
