import torch
import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, dy, x, h_res, h_out, h_post):
        return custom_ops_lib.mhc_post_grad_custom(dy, x, h_res, h_out, h_post)
