// ops::OpDef: the builder in which an operator declares its inputs, outputs, attributes and host functions.
#ifndef TWIN_REGISTER_OP_DEF_H
#define TWIN_REGISTER_OP_DEF_H

#include <deque>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/operator.h"
#include "register/op_impl_registry.h"

// Instantiated in the runtime: every operator definition uses them, and emitting them again is most of its compilation.
extern template class std::vector<ge::DataType>;
extern template class std::vector<ge::Format>;

namespace optiling {
/// Tells whether an operator serves a node of a graph. The twin has no graph and never asks.
using OP_CHECK_FUNC = ge::graphStatus (*)(const ge::Operator& op, ge::AscendString& result);
class OpCheckFuncHelper {
public:
    OpCheckFuncHelper(const ge::AscendString&, const ge::AscendString&, OP_CHECK_FUNC) {}
};
}  // namespace optiling
#define FUNC_CHECK_SUPPORTED "check_supported"
#define FUNC_OP_SELECT_FORMAT "op_select_format"

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class DependScope { ALL, TILING, INVALID_SCOPE };
enum class FollowType { ALL, DTYPE, FORMAT, SHAPE, INVALID_TYPE };
enum class InitValueType { INIT_UINT64_T, INIT_BY_SCALAR };
enum class FormatCheckOption { DEFAULT = 0, STRICT = 1, MAX };
enum class ScalarType : uint32_t {
    UINT64,
    INT64,
    UINT32,
    INT32,
    UINT16,
    INT16,
    UINT8,
    INT8,
    FLOAT32,
    FLOAT16,
    INVALID_DTYPE = 0xffffffffu
};
/// A number with its type, with which a definition has an output filled before a launch whose tiling called
/// SetNeedAtomic(true).
struct ScalarVar {
    ScalarVar() = default;
    template <class Number>
    ScalarVar(ScalarType type, Number number) : scalar_type(type), value(static_cast<long double>(number)) {}
    ScalarType scalar_type = ScalarType::INVALID_DTYPE;
    long double value = 0;
};

/// Setters return the parameter itself, so that calls chain. Those without a meaning on the twin only accept their
/// arguments.
class OpParamDef {
public:
    explicit OpParamDef(const char* name) : name_(name) {}
    OpParamDef& ParamType(Option type) {
        paramType_ = type;
        return *this;
    }
    OpParamDef& DataType(std::vector<ge::DataType> types) {
        types_ = std::move(types);
        return *this;
    }
    OpParamDef& DataTypeList(std::vector<ge::DataType> types) {
        types_ = std::move(types);
        typeList_ = true;
        return *this;
    }
    OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
    OpParamDef& Format(std::vector<ge::Format> formats) {
        formats_ = std::move(formats);
        return *this;
    }
    OpParamDef& FormatList(std::vector<ge::Format> formats) {
        formats_ = std::move(formats);
        return *this;
    }
    OpParamDef& FormatForBinQuery(std::vector<ge::Format>) { return *this; }
    OpParamDef& UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
    OpParamDef& ValueDepend(Option, DependScope = DependScope::ALL) { return *this; }
    OpParamDef& IgnoreContiguous() { return *this; }
    OpParamDef& AutoContiguous() { return *this; }
    OpParamDef& Scalar() { return *this; }
    OpParamDef& ScalarList() { return *this; }
    OpParamDef& To(ge::DataType) { return *this; }
    OpParamDef& To(const char*) { return *this; }
    OpParamDef& Version(uint32_t) { return *this; }
    /// 0 is all that this form takes.
    OpParamDef& InitValue(uint64_t value) {
        return InitValue(std::vector<ScalarVar>{{value == 0 ? ScalarType::UINT8 : ScalarType::INVALID_DTYPE, value}});
    }
    OpParamDef& InitValue(const ScalarVar& value) { return InitValue(std::vector<ScalarVar>{value}); }
    /// One for each column of types.
    OpParamDef& InitValue(const std::vector<ScalarVar>& values) {
        initial_ = values;
        return *this;
    }
    OpParamDef& OutputShapeDependOnCompute() {
        shapeFromKernel_ = true;
        return *this;
    }
    OpParamDef& Follow(const char* other) {
        follow_ = other;
        return *this;
    }
    OpParamDef& Follow(const char* other, FollowType) {
        follow_ = other;
        return *this;
    }
    OpParamDef& Comment(const char*) { return *this; }

    const std::string& name() const { return name_; }
    Option paramType() const { return paramType_; }
    const std::vector<ge::DataType>& types() const { return types_; }
    const std::vector<ge::Format>& formats() const { return formats_; }
    /// Takes over what `other` declares of types and formats.
    void retype(const OpParamDef& other) {
        types_ = other.types_;
        formats_ = other.formats_;
        typeList_ = other.typeList_;
    }
    bool typeList() const { return typeList_; }
    bool shapeFromKernel() const { return shapeFromKernel_; }
    const std::string& follow() const { return follow_; }
    const std::vector<ScalarVar>& initial() const { return initial_; }

private:
    std::string name_, follow_;
    Option paramType_ = OPTIONAL;
    std::vector<ge::DataType> types_;
    std::vector<ge::Format> formats_;
    std::vector<ScalarVar> initial_;
    bool typeList_ = false, shapeFromKernel_ = false;
};

enum class AttrKind { kBool, kFloat, kInt, kString, kListBool, kListFloat, kListInt, kListListInt };

class OpAttrDef {
public:
    explicit OpAttrDef(const char* name) : name_(name) {}
    OpAttrDef& AttrType(Option type) {
        attrType_ = type;
        return *this;
    }
    OpAttrDef& Bool() {
        kind_ = AttrKind::kBool;
        return *this;
    }
    OpAttrDef& Bool(bool value) {
        integers_ = {value};
        return withDefault(AttrKind::kBool);
    }
    OpAttrDef& Float() {
        kind_ = AttrKind::kFloat;
        return *this;
    }
    OpAttrDef& Float(float value) {
        floats_ = {value};
        return withDefault(AttrKind::kFloat);
    }
    OpAttrDef& Int() {
        kind_ = AttrKind::kInt;
        return *this;
    }
    OpAttrDef& Int(int64_t value) {
        integers_ = {value};
        return withDefault(AttrKind::kInt);
    }
    OpAttrDef& String() {
        kind_ = AttrKind::kString;
        return *this;
    }
    OpAttrDef& String(const char* value) {
        text_ = value;
        return withDefault(AttrKind::kString);
    }
    OpAttrDef& ListBool() {
        kind_ = AttrKind::kListBool;
        return *this;
    }
    OpAttrDef& ListBool(std::vector<bool> values) {
        integers_.assign(values.begin(), values.end());
        return withDefault(AttrKind::kListBool);
    }
    OpAttrDef& ListFloat() {
        kind_ = AttrKind::kListFloat;
        return *this;
    }
    OpAttrDef& ListFloat(std::vector<float> values) {
        floats_ = std::move(values);
        return withDefault(AttrKind::kListFloat);
    }
    OpAttrDef& ListInt() {
        kind_ = AttrKind::kListInt;
        return *this;
    }
    OpAttrDef& ListInt(std::vector<int64_t> values) {
        integers_ = std::move(values);
        return withDefault(AttrKind::kListInt);
    }
    OpAttrDef& ListListInt() {
        kind_ = AttrKind::kListListInt;
        return *this;
    }
    OpAttrDef& ListListInt(std::vector<std::vector<int64_t>>) { return withDefault(AttrKind::kListListInt); }
    OpAttrDef& Version(uint32_t) { return *this; }
    OpAttrDef& Comment(const char*) { return *this; }

    const std::string& name() const { return name_; }
    Option attrType() const { return attrType_; }
    AttrKind kind() const { return kind_; }
    bool hasDefault() const { return hasDefault_; }
    const std::vector<int64_t>& integers() const { return integers_; }
    const std::vector<float>& floats() const { return floats_; }
    const std::string& text() const { return text_; }

private:
    OpAttrDef& withDefault(AttrKind kind) {
        kind_ = kind;
        hasDefault_ = true;
        return *this;
    }
    std::string name_, text_;
    Option attrType_ = REQUIRED;
    AttrKind kind_ = AttrKind::kInt;
    bool hasDefault_ = false;
    std::vector<int64_t> integers_;
    std::vector<float> floats_;
};

/// What one SoC takes instead of the common definition.
class OpAICoreConfig {
public:
    OpAICoreConfig() = default;
    explicit OpAICoreConfig(const char*) {}
    OpParamDef& Input(const char* name) { return parameters_.emplace_back(name); }
    OpParamDef& Output(const char* name) { return parameters_.emplace_back(name); }
    OpAICoreConfig& DynamicCompileStaticFlag(bool) { return *this; }
    OpAICoreConfig& DynamicFormatFlag(bool) { return *this; }
    OpAICoreConfig& DynamicRankSupportFlag(bool) { return *this; }
    OpAICoreConfig& DynamicShapeSupportFlag(bool) { return *this; }
    OpAICoreConfig& NeedCheckSupportFlag(bool) { return *this; }
    OpAICoreConfig& PrecisionReduceFlag(bool) { return *this; }
    OpAICoreConfig& ExtendCfgInfo(const char*, const char*) { return *this; }
    const std::deque<OpParamDef>& parameters() const { return parameters_; }

private:
    std::deque<OpParamDef> parameters_;
};

class OpAICoreDef {
public:
    OpAICoreDef& SetTiling(gert::TilingKernelFunc function) {
        tiling_ = function;
        return *this;
    }
    OpAICoreDef& SetCheckSupport(optiling::OP_CHECK_FUNC function) {
        checkSupport_ = function;
        return *this;
    }
    optiling::OP_CHECK_FUNC& GetCheckSupport() { return checkSupport_; }
    template <class F>
    OpAICoreDef& SetOpSelectFormat(F) {
        return *this;
    }
    template <class F>
    OpAICoreDef& SetOpSupportInfo(F) {
        return *this;
    }
    template <class F>
    OpAICoreDef& SetOpSpecInfo(F) {
        return *this;
    }
    template <class F>
    OpAICoreDef& SetParamGeneralize(F) {
        return *this;
    }
    OpAICoreDef& AddConfig(const char* soc) {
        socs_.push_back(soc);
        return *this;
    }
    OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config) {
        socs_.push_back(soc);
        configs_[soc] = config;
        return *this;
    }
    gert::TilingKernelFunc tiling() const { return tiling_; }
    const std::vector<std::string>& socs() const { return socs_; }
    const std::map<std::string, OpAICoreConfig>& configs() const { return configs_; }

private:
    optiling::OP_CHECK_FUNC checkSupport_ = nullptr;
    gert::TilingKernelFunc tiling_ = nullptr;
    std::vector<std::string> socs_;
    std::map<std::string, OpAICoreConfig> configs_;
};

enum HcclServerType : uint32_t { AICPU = 0, AICORE, CCU, MAX };

/// Of an operator that communicates between devices: the groups are told to the runtime, which no host here has.
class OpMC2Def {
public:
    OpMC2Def& HcclGroup(const char*) { return *this; }
    OpMC2Def& HcclGroup(std::vector<const char*>) { return *this; }
    void HcclServerType(enum HcclServerType, const char* = nullptr) {}
};

class OpDef {
public:
    explicit OpDef(const char* type);
    OpDef(const OpDef&);
    virtual ~OpDef();
    OpParamDef& Input(const char* name) { return inputs_.emplace_back(name); }
    OpParamDef& Output(const char* name) { return outputs_.emplace_back(name); }
    OpAttrDef& Attr(const char* name) { return attributes_.emplace_back(name); }
    OpDef& SetInferShape(gert::InferShapeKernelFunc function) {
        inferShape_ = function;
        return *this;
    }
    OpDef& SetInferShapeRange(gert::InferShapeRangeKernelFunc) { return *this; }
    OpDef& SetInferDataType(gert::InferDataTypeKernelFunc function) {
        inferDataType_ = function;
        return *this;
    }
    OpDef& Comment(const char*) { return *this; }
    OpDef& Comment(int, const char*) { return *this; }
    OpDef& FormatMatchMode(FormatCheckOption) { return *this; }
    OpAICoreDef& AICore() { return aicore_; }
    OpMC2Def& MC2() { return communication_; }
    /// Puts the types and formats of the configuration for `soc`, such as "ascend910b", in place of the common ones.
    /// @throws std::runtime_error when no AddConfig names that chip or its sibling: CANN then builds no kernel for it
    void specialise(const std::string& soc);

    const std::string& type() const { return type_; }
    const std::deque<OpParamDef>& inputs() const { return inputs_; }
    const std::deque<OpParamDef>& outputs() const { return outputs_; }
    const std::deque<OpAttrDef>& attributes() const { return attributes_; }
    const OpAICoreDef& aicore() const { return aicore_; }
    gert::InferShapeKernelFunc inferShape() const { return inferShape_; }

private:
    std::string type_;
    std::deque<OpParamDef> inputs_, outputs_;
    std::deque<OpAttrDef> attributes_;
    OpAICoreDef aicore_;
    OpMC2Def communication_;
    gert::InferShapeKernelFunc inferShape_ = nullptr;
    gert::InferDataTypeKernelFunc inferDataType_ = nullptr;
};

}  // namespace ops

#ifdef __clang__
namespace twin {
/// Members that are inline are instantiated all the same wherever they are used: here once, in the precompiled header.
inline void instantiateLists() {
    const auto types = {ge::DT_UNDEFINED};
    const auto formats = {ge::FORMAT_RESERVED};
    std::vector<ge::DataType>(std::vector<ge::DataType>(types));
    std::vector<ge::Format>(std::vector<ge::Format>(formats));
    const std::vector<int64_t> integers = {0};
    const std::vector<float> floats = {0.0f};
    const std::vector<bool> flags = {false};
    const std::vector<std::vector<int64_t>> lists = {integers};
}
}  // namespace twin
#endif

#endif
