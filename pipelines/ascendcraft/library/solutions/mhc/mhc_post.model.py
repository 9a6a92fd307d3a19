import torch
import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, h_res, h_out, h_post):
        return custom_ops_lib.mhc_post_custom(x, h_res, h_out, h_post)
