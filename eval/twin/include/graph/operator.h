// ge::Operator: an operator of a graph, as the functions see it that decide whether an operator serves a node. The twin has no graph
// and never calls such functions; the class is what they need to compile.
#ifndef TWIN_GRAPH_OPERATOR_H
#define TWIN_GRAPH_OPERATOR_H

#include <map>
#include <string>

#include "graph/types.h"

namespace ge {

class TensorDesc {
public:
    TensorDesc() = default;
    explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType type = DT_FLOAT) : shape_(std::move(shape)), format_(format), type_(type) {}
    Shape GetShape() const { return shape_; }
    Shape GetOriginShape() const { return shape_; }
    Format GetFormat() const { return format_; }
    DataType GetDataType() const { return type_; }
    void SetShape(const Shape& shape) { shape_ = shape; }
    void SetFormat(Format format) { format_ = format; }
    void SetDataType(DataType type) { type_ = type; }

private:
    Shape shape_;
    Format format_ = FORMAT_ND;
    DataType type_ = DT_FLOAT;
};

class Operator {
public:
    Operator() = default;
    explicit Operator(const char* name) : name_(name) {}
    TensorDesc GetInputDescByName(const char* name) const { return find(inputs_, name); }
    TensorDesc GetOutputDescByName(const char* name) const { return find(outputs_, name); }
    graphStatus UpdateInputDesc(const char* name, const TensorDesc& desc) { inputs_[name] = desc; return GRAPH_SUCCESS; }
    graphStatus UpdateOutputDesc(const char* name, const TensorDesc& desc) { outputs_[name] = desc; return GRAPH_SUCCESS; }
    graphStatus GetAttr(const char* name, int64_t& value) const {
        const auto found = integers_.find(name);
        if (found == integers_.end()) return GRAPH_FAILED;
        value = found->second;
        return GRAPH_SUCCESS;
    }
    Operator& SetAttr(const char* name, int64_t value) { integers_[name] = value; return *this; }
    graphStatus GetName(AscendString& name) const { name = AscendString(name_.c_str()); return GRAPH_SUCCESS; }

private:
    static TensorDesc find(const std::map<std::string, TensorDesc>& all, const char* name) {
        const auto found = all.find(name);
        return found == all.end() ? TensorDesc() : found->second;
    }
    std::string name_;
    std::map<std::string, TensorDesc> inputs_, outputs_;
    std::map<std::string, int64_t> integers_;
};

}  // namespace ge

#endif
