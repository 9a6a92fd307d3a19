// The element types and formats of the graph engine, with its public numbers: lists from which the enumerations of C
// and C++ and the names for log lines are made. A format without a name of its own reads RESERVED, as in the SDK.
#ifndef TWIN_GRAPH_C_TYPES_H
#define TWIN_GRAPH_C_TYPES_H

/// X(name, number, size): bytes of an element, 1000 and the bits of one below a byte, -1 where none is fixed.
#define TWIN_DATA_TYPES(X)      \
    X(DT_FLOAT, 0, 4)           \
    X(DT_FLOAT16, 1, 2)         \
    X(DT_INT8, 2, 1)            \
    X(DT_INT32, 3, 4)           \
    X(DT_UINT8, 4, 1)           \
    X(DT_INT16, 6, 2)           \
    X(DT_UINT16, 7, 2)          \
    X(DT_UINT32, 8, 4)          \
    X(DT_INT64, 9, 8)           \
    X(DT_UINT64, 10, 8)         \
    X(DT_DOUBLE, 11, 8)         \
    X(DT_BOOL, 12, 1)           \
    X(DT_STRING, 13, -1)        \
    X(DT_DUAL_SUB_INT8, 14, 1)  \
    X(DT_DUAL_SUB_UINT8, 15, 1) \
    X(DT_COMPLEX64, 16, 8)      \
    X(DT_COMPLEX128, 17, 16)    \
    X(DT_QINT8, 18, 1)          \
    X(DT_QINT16, 19, 2)         \
    X(DT_QINT32, 20, 4)         \
    X(DT_QUINT8, 21, 1)         \
    X(DT_QUINT16, 22, 2)        \
    X(DT_RESOURCE, 23, 8)       \
    X(DT_STRING_REF, 24, -1)    \
    X(DT_DUAL, 25, 5)           \
    X(DT_VARIANT, 26, 8)        \
    X(DT_BF16, 27, 2)           \
    X(DT_UNDEFINED, 28, -1)     \
    X(DT_INT4, 29, 1004)        \
    X(DT_UINT1, 30, 1001)       \
    X(DT_INT2, 31, 1002)        \
    X(DT_UINT2, 32, 1002)       \
    X(DT_COMPLEX32, 33, 4)      \
    X(DT_HIFLOAT8, 34, 1)       \
    X(DT_FLOAT8_E5M2, 35, 1)    \
    X(DT_FLOAT8_E4M3FN, 36, 1)  \
    X(DT_FLOAT8_E8M0, 37, 1)    \
    X(DT_FLOAT6_E3M2, 38, 1006) \
    X(DT_FLOAT6_E2M3, 39, 1006) \
    X(DT_FLOAT4_E2M1, 40, 1004) \
    X(DT_FLOAT4_E1M2, 41, 1004) \
    X(DT_HIFLOAT4, 42, 1004)

/// X(name, number, name for log lines)
#define TWIN_FORMATS(X)                                                            \
    X(FORMAT_NCHW, 0, "NCHW")                                                      \
    X(FORMAT_NHWC, 1, "NHWC")                                                      \
    X(FORMAT_ND, 2, "ND")                                                          \
    X(FORMAT_NC1HWC0, 3, "NC1HWC0")                                                \
    X(FORMAT_FRACTAL_Z, 4, "FRACTAL_Z")                                            \
    X(FORMAT_NC1C0HWPAD, 5, "NC1C0HWPAD")                                          \
    X(FORMAT_NHWC1C0, 6, "NHWC1C0")                                                \
    X(FORMAT_FSR_NCHW, 7, "FSR_NCHW")                                              \
    X(FORMAT_FRACTAL_DECONV, 8, "FRACTAL_DECONV")                                  \
    X(FORMAT_C1HWNC0, 9, "C1HWNC0")                                                \
    X(FORMAT_FRACTAL_DECONV_TRANSPOSE, 10, "FRACTAL_DECONV_TRANSPOSE")             \
    X(FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS, 11, "FRACTAL_DECONV_SP_STRIDE_TRANS") \
    X(FORMAT_NC1HWC0_C04, 12, "NC1HWC0_C04")                                       \
    X(FORMAT_FRACTAL_Z_C04, 13, "FRACTAL_Z_C04")                                   \
    X(FORMAT_CHWN, 14, "CHWN")                                                     \
    X(FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS, 15, "DECONV_SP_STRIDE8_TRANS")       \
    X(FORMAT_HWCN, 16, "HWCN")                                                     \
    X(FORMAT_NC1KHKWHWC0, 17, "NC1KHKWHWC0")                                       \
    X(FORMAT_BN_WEIGHT, 18, "BN_WEIGHT")                                           \
    X(FORMAT_FILTER_HWCK, 19, "FILTER_HWCK")                                       \
    X(FORMAT_HASHTABLE_LOOKUP_LOOKUPS, 20, "LOOKUP_LOOKUPS")                       \
    X(FORMAT_HASHTABLE_LOOKUP_KEYS, 21, "LOOKUP_KEYS")                             \
    X(FORMAT_HASHTABLE_LOOKUP_VALUE, 22, "LOOKUP_VALUE")                           \
    X(FORMAT_HASHTABLE_LOOKUP_OUTPUT, 23, "LOOKUP_OUTPUT")                         \
    X(FORMAT_HASHTABLE_LOOKUP_HITS, 24, "LOOKUP_HITS")                             \
    X(FORMAT_C1HWNCoC0, 25, "C1HWNCoC0")                                           \
    X(FORMAT_MD, 26, "MD")                                                         \
    X(FORMAT_NDHWC, 27, "NDHWC")                                                   \
    X(FORMAT_FRACTAL_ZZ, 28, "RESERVED")                                           \
    X(FORMAT_FRACTAL_NZ, 29, "FRACTAL_NZ")                                         \
    X(FORMAT_NCDHW, 30, "NCDHW")                                                   \
    X(FORMAT_DHWCN, 31, "DHWCN")                                                   \
    X(FORMAT_NDC1HWC0, 32, "NDC1HWC0")                                             \
    X(FORMAT_FRACTAL_Z_3D, 33, "FRACTAL_Z_3D")                                     \
    X(FORMAT_CN, 34, "CN")                                                         \
    X(FORMAT_NC, 35, "NC")                                                         \
    X(FORMAT_DHWNC, 36, "DHWNC")                                                   \
    X(FORMAT_FRACTAL_Z_3D_TRANSPOSE, 37, "FRACTAL_Z_3D_TRANSPOSE")                 \
    X(FORMAT_FRACTAL_ZN_LSTM, 38, "FRACTAL_ZN_LSTM")                               \
    X(FORMAT_FRACTAL_Z_G, 39, "FRACTAL_Z_G")                                       \
    X(FORMAT_RESERVED, 40, "FORMAT_RESERVED")                                      \
    X(FORMAT_ALL, 41, "ALL")                                                       \
    X(FORMAT_NULL, 42, "NULL")                                                     \
    X(FORMAT_ND_RNN_BIAS, 43, "ND_RNN_BIAS")                                       \
    X(FORMAT_FRACTAL_ZN_RNN, 44, "FRACTAL_ZN_RNN")                                 \
    X(FORMAT_NYUV, 45, "NYUV")                                                     \
    X(FORMAT_NYUV_A, 46, "NYUV_A")                                                 \
    X(FORMAT_NCL, 47, "NCL")                                                       \
    X(FORMAT_FRACTAL_Z_WINO, 48, "FRACTAL_Z_WINO")                                 \
    X(FORMAT_C1HWC0, 49, "C1HWC0")                                                 \
    X(FORMAT_FRACTAL_NZ_C0_16, 50, "FRACTAL_NZ_C0_16")                             \
    X(FORMAT_FRACTAL_NZ_C0_32, 51, "FRACTAL_NZ_C0_32")                             \
    X(FORMAT_FRACTAL_NZ_C0_2, 52, "FRACTAL_NZ_C0_2")                               \
    X(FORMAT_FRACTAL_NZ_C0_4, 53, "FRACTAL_NZ_C0_4")                               \
    X(FORMAT_FRACTAL_NZ_C0_8, 54, "FRACTAL_NZ_C0_8")                               \
    X(FORMAT_END, 55, "END")

#define TWIN_C_NAME(name, number, rest) C_##name = number,
typedef enum { TWIN_DATA_TYPES(TWIN_C_NAME) C_DT_MAX } C_DataType;
typedef enum { TWIN_FORMATS(TWIN_C_NAME) C_FORMAT_MAX = 0xff } C_Format;
#undef TWIN_C_NAME

#endif
