// IMPL_OP: registers the host functions of an operator outside its definition.
#ifndef TWIN_REGISTER_OP_IMPL_REGISTRY_H
#define TWIN_REGISTER_OP_IMPL_REGISTRY_H

#include <functional>
#include <initializer_list>
#include <memory>
#include <unordered_set>

#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"

namespace gert {

using TilingKernelFunc = ge::graphStatus (*)(TilingContext*);
using TilingParseFunc = ge::graphStatus (*)(TilingParseContext*);
using InferShapeKernelFunc = ge::graphStatus (*)(InferShapeContext*);
using InferShapeRangeKernelFunc = ge::graphStatus (*)(InferShapeRangeContext*);
using InferDataTypeKernelFunc = ge::graphStatus (*)(InferDataTypeContext*);

enum TilingPlacement { TILING_ON_HOST = 0, TILING_ON_AICPU = 1 };

}  // namespace gert

namespace twin_host {

/// Host functions of one operator type, from its definition or from IMPL_OP.
struct OpFunctions {
    gert::TilingKernelFunc tiling = nullptr;
    std::function<ge::graphStatus(gert::TilingParseContext*)> parse;
    std::function<std::shared_ptr<void>()> createCompileInfo;
    gert::InferShapeKernelFunc inferShape = nullptr;
    gert::InferDataTypeKernelFunc inferDataType = nullptr;
};
OpFunctions& functionsOf(const char* opType);

}  // namespace twin_host

namespace gert {

class OpImplRegister {
public:
    explicit OpImplRegister(const char* opType) : functions_(&twin_host::functionsOf(opType)) {}
    OpImplRegister& Tiling(TilingKernelFunc function, size_t = 2048) {
        functions_->tiling = function;
        return *this;
    }
    OpImplRegister& InferShape(InferShapeKernelFunc function) {
        functions_->inferShape = function;
        return *this;
    }
    OpImplRegister& InferShapeRange(InferShapeRangeKernelFunc) { return *this; }
    OpImplRegister& InferDataType(InferDataTypeKernelFunc function) {
        functions_->inferDataType = function;
        return *this;
    }
    OpImplRegister& InferOutDataTypeSameWithFirstInput() {
        return InferDataType([](InferDataTypeContext* context) -> ge::graphStatus {
            return context->SetOutputDataType(0, context->GetInputDataType(0));
        });
    }
    OpImplRegister& InputsDataDependency(std::initializer_list<int32_t>) { return *this; }
    OpImplRegister& TilingInputsDataDependency(std::initializer_list<int32_t>) { return *this; }
    OpImplRegister& TilingInputsDataDependency(std::initializer_list<int32_t>, std::initializer_list<TilingPlacement>) {
        return *this;
    }
    // What the graph engine asks of an operator: the twin has no graph, caches no tiling and calls none of them.
    OpImplRegister& GenSimplifiedKey(ge::graphStatus (*)(TilingContext*, ge::char_t*)) { return *this; }
    OpImplRegister& OutputShapeDependOnCompute(std::initializer_list<int32_t>) { return *this; }
    OpImplRegister& HostInputs(std::initializer_list<int32_t>) { return *this; }
    OpImplRegister& NullableOutputs(std::initializer_list<int32_t>) { return *this; }
    template <class F>
    OpImplRegister& InferFormat(F) {
        return *this;
    }
    template <class F>
    OpImplRegister& CheckSupport(F) {
        return *this;
    }
    template <class F>
    OpImplRegister& OpSelectFormat(F) {
        return *this;
    }
    template <class F>
    OpImplRegister& ExceptionDumpParseFunc(F) {
        return *this;
    }
    template <class T>
    OpImplRegister& TilingParse(ge::graphStatus (*parse)(TilingParseContext*)) {
        functions_->parse = parse;
        functions_->createCompileInfo = [] { return std::static_pointer_cast<void>(std::make_shared<T>()); };
        return *this;
    }
    template <class T>
    OpImplRegister& PrivateAttr(const char*, T) {
        return *this;
    }
    OpImplRegister& PrivateAttr(const char*) { return *this; }

private:
    twin_host::OpFunctions* functions_;
};

}  // namespace gert

#define TWIN_IMPL_OP_COUNTED(op, counter) \
    static ::gert::OpImplRegister twin_op_impl_##op##_##counter __attribute__((unused)) = ::gert::OpImplRegister(#op)
#define TWIN_IMPL_OP(op, counter) TWIN_IMPL_OP_COUNTED(op, counter)
#define IMPL_OP(op) TWIN_IMPL_OP(op, __COUNTER__)
#define IMPL_OP_OPTILING(op) TWIN_IMPL_OP(op, __COUNTER__)
#define IMPL_OP_INFERSHAPE(op) TWIN_IMPL_OP(op, __COUNTER__)

#endif
