// ge::Operator: an operator of a graph, as the functions see it that decide whether an operator serves a node. The twin
// has no graph and never calls such functions; the class is what they need to compile.
#ifndef TWIN_GRAPH_OPERATOR_H
#define TWIN_GRAPH_OPERATOR_H

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/tensor.h"

namespace ge {

class Operator {
public:
    Operator() = default;
    explicit Operator(const char* name) : name_(name) {}
    /// By name, or by number in the order in which they were added. Where there is none, a description as constructed.
    TensorDesc GetInputDescByName(const char* name) const { return find(inputs_, name); }
    TensorDesc GetOutputDescByName(const char* name) const { return find(outputs_, name); }
    TensorDesc GetInputDesc(const std::string& name) const { return find(inputs_, name); }
    TensorDesc GetOutputDesc(const std::string& name) const { return find(outputs_, name); }
    TensorDesc GetInputDesc(uint32_t index) const { return at(inputs_, index); }
    TensorDesc GetOutputDesc(uint32_t index) const { return at(outputs_, index); }
    graphStatus UpdateInputDesc(const char* name, const TensorDesc& desc) { return update(inputs_, name, desc); }
    graphStatus UpdateOutputDesc(const char* name, const TensorDesc& desc) { return update(outputs_, name, desc); }
    graphStatus GetAttr(const char* name, int64_t& value) const {
        const auto found = integers_.find(name);
        if (found == integers_.end()) return GRAPH_FAILED;
        value = found->second;
        return GRAPH_SUCCESS;
    }
    Operator& SetAttr(const char* name, int64_t value) {
        integers_[name] = value;
        return *this;
    }
    graphStatus GetName(AscendString& name) const {
        name = AscendString(name_.c_str());
        return GRAPH_SUCCESS;
    }

private:
    using Descs = std::vector<std::pair<std::string, TensorDesc>>;
    static TensorDesc find(const Descs& all, const std::string& name) {
        for (const auto& [known, desc] : all)
            if (known == name) return desc;
        return TensorDesc();
    }
    static TensorDesc at(const Descs& all, uint32_t index) {
        return index < all.size() ? all[index].second : TensorDesc();
    }
    static graphStatus update(Descs& all, const char* name, const TensorDesc& desc) {
        for (auto& one : all)
            if (one.first == name) return one.second = desc, GRAPH_SUCCESS;
        all.emplace_back(name, desc);
        return GRAPH_SUCCESS;
    }
    std::string name_;
    Descs inputs_, outputs_;
    std::map<std::string, int64_t> integers_;
};

}  // namespace ge

#endif
