// A dynamic list of tensors in GM. Source: Ascend C basic API "ListTensorDesc".
#ifndef TWIN_LIST_TENSOR_H
#define TWIN_LIST_TENSOR_H

#include "twin/tensor.h"

namespace AscendC {

/// One tensor of a list. Its shape goes where SetShapeAddr says, so that comes before GetDesc.
template <class T>
class TensorDesc {
public:
    __aicore__ inline void SetShapeAddr(uint64_t* shapePtr) { shape_ = shapePtr; }
    __aicore__ inline uint64_t GetDim() { return dim_; }
    __aicore__ inline uint64_t GetIndex() { return index_; }
    __aicore__ inline uint64_t GetShape(uint32_t offset) { return shape_[offset]; }
    __aicore__ inline __gm__ T* GetDataPtr() { return data_; }
    __aicore__ inline GlobalTensor<T> GetDataObj() {
        uint64_t elements = 1;
        for (uint64_t i = 0; i < dim_; ++i) elements *= shape_[i];
        GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(data_, elements);
        return tensor;
    }

private:
    friend class ListTensorDesc;
    uint64_t dim_ = 0, index_ = 0;
    uint64_t* shape_ = nullptr;
    __gm__ T* data_ = nullptr;
};

/// Word 0 of the list: bytes to its pointers. Before them, for each tensor, a word with its axes (low half) and index,
/// and the axes. The device reads the number of axes of the first tensor only and takes it for that of all.
class ListTensorDesc {
public:
    __aicore__ inline ListTensorDesc() {}
    __aicore__ inline explicit ListTensorDesc(__gm__ void* data, uint32_t length = 0xffffffff,
                                              uint32_t shapeSize = 0xffffffff) {
        Init(data, length, shapeSize);
    }
    __aicore__ inline void Init(__gm__ void* data, uint32_t = 0xffffffff, uint32_t = 0xffffffff) {
        words_ = static_cast<__gm__ uint64_t*>(data);
        dim_ = words_[1] & 0xffffffffu;
    }
    __aicore__ inline uint32_t GetSize() { return (words_[words_[0] / 8 - 1 - dim_] >> 32) + 1; }
    template <class T>
    __aicore__ inline __gm__ T* GetDataPtr(uint32_t index) {
        return reinterpret_cast<__gm__ T*>(words_[words_[0] / 8 + index]);
    }
    template <class T>
    __aicore__ inline void GetDesc(TensorDesc<T>& desc, uint32_t index) {
        const __gm__ uint64_t* axes = words_ + 2 + index * (1 + dim_);
        desc.dim_ = dim_;
        desc.index_ = index;
        for (uint64_t i = 0; desc.shape_ != nullptr && i < dim_; ++i) desc.shape_[i] = axes[i];
        desc.data_ = GetDataPtr<T>(index);
    }

private:
    __gm__ uint64_t* words_ = nullptr;
    uint64_t dim_ = 0;
};

}  // namespace AscendC

#endif
