// domi: formats of tensors in models of other frameworks.
#ifndef TWIN_REGISTER_TYPES_H
#define TWIN_REGISTER_TYPES_H

// Symbols of a library are visible on the twin without a word about it.
#define FMK_FUNC_HOST_VISIBILITY
#define FMK_FUNC_DEV_VISIBILITY

namespace domi {

typedef enum tagDomiTensorFormat {
    DOMI_TENSOR_NCHW = 0,
    DOMI_TENSOR_NHWC,
    DOMI_TENSOR_ND,
    DOMI_TENSOR_NC1HWC0,
    DOMI_TENSOR_FRACTAL_Z,
    DOMI_TENSOR_NC1C0HWPAD,
    DOMI_TENSOR_NHWC1C0,
    DOMI_TENSOR_FSR_NCHW,
    DOMI_TENSOR_FRACTAL_DECONV,
    DOMI_TENSOR_BN_WEIGHT,
    DOMI_TENSOR_CHWN,
    DOMI_TENSOR_FILTER_HWCK,
    DOMI_TENSOR_NDHWC,
    DOMI_TENSOR_NCDHW,
    DOMI_TENSOR_DHWCN,
    DOMI_TENSOR_DHWNC,
    DOMI_TENSOR_RESERVED
} domiTensorFormat_t;

}  // namespace domi

#endif
