// REGIST_MATMUL_OBJ: one to four Matmul objects, each followed by its tiling; a single one may come without.
#ifndef TWIN_MATMUL_REGISTER_H
#define TWIN_MATMUL_REGISTER_H

#include "twin/matmul.h"
#include "twin/soc.h"

#pragma clang force_cuda_host_device begin

namespace twin {

template <typename M>
__aicore__ inline void RegisterMatmuls(const uint8_t* workspace, M& object) {
    MatmulRegister(object.state_, M::kind, nullptr, workspace);
}
template <typename M, typename T, typename... Rest>
__aicore__ inline void RegisterMatmuls(const uint8_t* workspace, M& object, T* tiling, Rest&&... rest) {
    if constexpr (std::is_same_v<std::remove_cv_t<T>, void>)
        MatmulRegister(object.state_, M::kind, static_cast<const TCubeTiling*>(tiling), workspace);
    else MatmulRegister(object.state_, M::kind, tiling, workspace);
    if constexpr (sizeof...(Rest) > 0) RegisterMatmuls(workspace, rest...);
}

}  // namespace twin

namespace AscendC {

/// Of the library's headers: 16 bits wide, so larger numbers lose their upper part.
__aicore__ inline uint16_t CeilDiv(uint16_t num1, uint16_t num2) {
    return num2 == 0 ? 0 : static_cast<uint16_t>((num1 + num2 - 1) / num2);
}
__aicore__ inline uint16_t CeilAlign(uint16_t num1, uint16_t num2) {
    return static_cast<uint16_t>(CeilDiv(num1, num2) * num2);
}
template <typename T>
__aicore__ constexpr T Align(T num1, T num2) {
    return num2 == 0 ? 0 : (num1 + num2 - 1) / num2 * num2;
}
template <typename T>
__aicore__ constexpr T AlignDown(T num1, T num2) {
    return num2 == 0 ? 0 : num1 / num2 * num2;
}
template <typename T>
__aicore__ inline T CeilAlign(T num1, T num2) {
    return static_cast<T>(Ceil(num1, num2) * num2);
}

}  // namespace AscendC

// The cube core of a kernel of both kinds serves its vector cores until these end, and then leaves the kernel.
#ifdef ASCENDC_CUBE_ONLY
#ifdef TWIN_CUBE_CORE
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) \
    twin::RegisterMatmuls(twin::AddressAs<const uint8_t*>(workspace), __VA_ARGS__)
#else
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) return
#endif
#else
#ifdef TWIN_CUBE_CORE
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                   \
    twin::MatmulServe(twin::AddressAs<const uint8_t*>(workspace)); \
    return
#else
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) \
    twin::RegisterMatmuls(twin::AddressAs<const uint8_t*>(workspace), __VA_ARGS__)
#endif
#endif
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ

#pragma clang force_cuda_host_device end
#endif
