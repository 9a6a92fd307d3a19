import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, margin: float = 1.0) -> None:
        super().__init__()
        self.margin = margin

    def forward(self, anchor: torch.Tensor, positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.triplet_margin_loss_custom(anchor, positive, negative, self.margin, 1e-6)
