// REG_OP: the declaration of an operator for the graph engine. The twin has no graph: what a kernel is judged by is its
// definition (OP_ADD), and of a declaration only the name of its class is kept.
#ifndef TWIN_GRAPH_OPERATOR_REG_H
#define TWIN_GRAPH_OPERATOR_REG_H

#include "graph/operator.h"

namespace twin_host {

struct GraphDeclaration {
    constexpr const GraphDeclaration& with(const char*) const { return *this; }
};

}  // namespace twin_host

#define REG_OP(type)                                        \
    namespace op {                                          \
    class type : public ::ge::Operator {                    \
    public:                                                 \
        type() : Operator(#type) {}                         \
        explicit type(const char* name) : Operator(name) {} \
    };                                                      \
    }                                                       \
    [[maybe_unused]] constexpr auto twin_graph_##type = ::twin_host::GraphDeclaration()
#define INPUT(name, ...) with(#name)
#define OPTIONAL_INPUT(name, ...) with(#name)
#define DYNAMIC_INPUT(name, ...) with(#name)
#define OUTPUT(name, ...) with(#name)
#define DYNAMIC_OUTPUT(name, ...) with(#name)
#define ATTR(name, ...) with(#name)
#define REQUIRED_ATTR(name, ...) with(#name)
#define DATATYPE(name, ...) with(#name)
#define GRAPH(name) with(#name)
#define OP_END_FACTORY_REG(type) with(#type);
#define OP_END() with("");

#endif
