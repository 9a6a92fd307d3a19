// Ops::Base::TilingBaseClass: tiling in steps, which a class of an operator fills in.
#ifndef TWIN_HOST_TILING_CLASS_H
#define TWIN_HOST_TILING_CLASS_H

#include <memory>
#include <sstream>
#include <string>

#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"
#include "tiling/platform/platform_ascendc.h"

namespace Ops {
namespace Base {

struct AiCoreParams {
    uint64_t ubSize = 0;
    uint64_t blockDim = 0;
    uint64_t numBlocks = 0;
    uint64_t aicNum = 0;
    uint64_t l1Size = 0;
    uint64_t l0aSize = 0;
    uint64_t l0bSize = 0;
    uint64_t l0cSize = 0;
};

/// What TilingParse keeps of the chip.
struct CompileInfoCommon {
    uint32_t aivNum;
    uint32_t aicNum;
    uint64_t ubSize;
    uint64_t l1Size;
    uint64_t l0aSize;
    uint64_t l0bSize;
    uint64_t l0cSize;
    uint64_t l2CacheSize;
    int64_t coreNum;
    int32_t socVersion;
    uint32_t rsvd;
};

class TilingBaseClass {
public:
    explicit TilingBaseClass(gert::TilingContext* context) : context_(context) {}
    virtual ~TilingBaseClass() = default;

    /// GRAPH_PARAM_INVALID means that this class does not serve the call, and the next one is tried.
    ge::graphStatus DoTiling() {
        if (context_ == nullptr) return ge::GRAPH_FAILED;
        for (const auto step : {&TilingBaseClass::GetShapeAttrsInfo, &TilingBaseClass::GetPlatformInfo}) {
            const ge::graphStatus status = (this->*step)();
            if (status != ge::GRAPH_SUCCESS) return status;
        }
        if (!IsCapable()) return ge::GRAPH_PARAM_INVALID;
        for (const auto step : {&TilingBaseClass::DoOpTiling, &TilingBaseClass::DoLibApiTiling,
                                &TilingBaseClass::GetWorkspaceSize, &TilingBaseClass::PostTiling}) {
            const ge::graphStatus status = (this->*step)();
            if (status != ge::GRAPH_SUCCESS) return status;
        }
        context_->SetTilingKey(GetTilingKey());
        DumpTilingInfo();
        return ge::GRAPH_SUCCESS;
    }
    virtual void Reset(gert::TilingContext* context) { context_ = context; }

protected:
    virtual bool IsCapable() = 0;
    virtual ge::graphStatus GetPlatformInfo() = 0;
    virtual ge::graphStatus GetShapeAttrsInfo() = 0;
    virtual ge::graphStatus DoOpTiling() = 0;
    virtual ge::graphStatus DoLibApiTiling() = 0;
    virtual uint64_t GetTilingKey() const = 0;
    virtual ge::graphStatus GetWorkspaceSize() = 0;
    virtual ge::graphStatus PostTiling() = 0;
    virtual void DumpTilingInfo() {}
    /// Pairs of one cube and its vector cores for `sliceNum` slices; without both kinds of core, the slices themselves.
    static uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) {
        if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum) return sliceNum;
        const uint32_t ratio = aivCoreNum / aicCoreNum;
        return (sliceNum + ratio - 1) / ratio;
    }

    // Text for log lines.
    template <class T>
    std::string GetShapeDebugStr(const T& shape) const {
        return twin_host::listText(shape.GetDimNum(), [&](size_t i) { return std::to_string(shape.GetDim(i)); });
    }
    std::string GetTensorDebugStr(const gert::StorageShape* shape, const gert::CompileTimeTensorDesc* tensor) const {
        if (shape == nullptr || tensor == nullptr) return "nil ";
        const auto format = static_cast<ge::Format>(ge::GetPrimaryFormat(tensor->GetStorageFormat()));
        return "(dtype: " + ToString(tensor->GetDataType()) + "),(shape:" + ToString(shape->GetStorageShape()) +
               "),(ori_shape:" + ToString(shape->GetOriginShape()) + "),(format: " + ToString(format) +
               "),(ori_format: " + ToString(tensor->GetOriginFormat()) + ") ";
    }
    std::string GetTilingContextDebugStr() {
        std::string text;
        for (size_t i = 0; i < context_->GetComputeNodeInputNum(); ++i) {
            text += "input" + std::to_string(i) + ": ";
            text += GetTensorDebugStr(context_->GetInputShape(i), context_->GetInputDesc(i));
        }
        for (size_t i = 0; i < context_->GetComputeNodeOutputNum(); ++i) {
            text += "output" + std::to_string(i) + ": ";
            text += GetTensorDebugStr(context_->GetOutputShape(i), context_->GetOutputDesc(i));
        }
        return text;
    }
    std::string GetTilingDataDebugStr() const {
        const gert::TilingData* data = context_->GetRawTilingData();
        const auto* words = static_cast<const int32_t*>(data->GetData());
        std::string text;
        for (size_t i = 0; i < data->GetDataSize() / sizeof(int32_t); ++i) text += std::to_string(words[i]) + ", ";
        return text;
    }
    int64_t DefaultTilingInfoDump() const { return 0; }

    gert::TilingContext* context_ = nullptr;
    std::unique_ptr<platform_ascendc::PlatformAscendC> ascendcPlatform_;
    uint32_t blockDim_ = 0;
    uint64_t workspaceSize_ = 0;
    uint64_t tilingKey_ = 0;
    AiCoreParams aicoreParams_;
};

}  // namespace Base
}  // namespace Ops

#endif
