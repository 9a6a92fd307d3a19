// Runs one case of an operator through the C interface that its package brings, and says in report.json how it ended.
//   acl_runner <folder of the case> <device> <warm-up launches> <timed launches> <seconds>
// Every launch has tensors at addresses of its own. `call.h` is generated for the operator: Plan and Start.
// Compiles with the headers of CANN (acl/acl.h, aclnn/acl_meta.h) and nothing else.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

struct Failure {
    std::string step;
    int code;
};

static void must(int code, const char* step) {
    if (code != 0) throw Failure{step, code};
}

struct Type {
    aclDataType type;
    size_t bytes;
    // What stands in an output before the launch: a NaN that no arithmetic produces, or 0xFE.
    uint64_t poison;
};

static const std::map<std::string, Type> types = {
    {"float16", {ACL_FLOAT16, 2, 0x7D55}},
    {"bfloat16", {ACL_BF16, 2, 0x7FA5}},
    {"float32", {ACL_FLOAT, 4, 0x7FA5A5A5}},
    {"float64", {ACL_DOUBLE, 8, 0x7FF5A5A5A5A5A5A5}},
    {"complex64", {ACL_COMPLEX64, 8, 0x7FA5A5A57FA5A5A5}},
    {"int8", {ACL_INT8, 1, 0xFE}},
    {"uint8", {ACL_UINT8, 1, 0xFE}},
    {"bool", {ACL_BOOL, 1, 0xFE}},
    {"int16", {ACL_INT16, 2, 0xFEFE}},
    {"uint16", {ACL_UINT16, 2, 0xFEFE}},
    {"int32", {ACL_INT32, 4, 0xFEFEFEFE}},
    {"uint32", {ACL_UINT32, 4, 0xFEFEFEFE}},
    {"int64", {ACL_INT64, 8, 0xFEFEFEFEFEFEFEFE}},
    {"uint64", {ACL_UINT64, 8, 0xFEFEFEFEFEFEFEFE}},
};

// Around every tensor, so that a write beside it is seen.
constexpr size_t kGuard = 512;
constexpr uint8_t kGuardByte = 0xA5;

struct Tensor {
    std::string name;
    Type type;
    std::vector<int64_t> shape;
    std::string file;
    bool cleared = false;
    bool written = false;
    std::vector<uint8_t> before;
    uint8_t* device = nullptr;
    aclTensor* handle = nullptr;

    size_t bytes() const {
        size_t count = type.bytes;
        for (int64_t size : shape) count *= static_cast<size_t>(size);
        return count;
    }
};

static std::string decoded(const std::string& text) {
    std::string plain;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '%' && at + 2 < text.size()) {
            plain += static_cast<char>(std::strtol(text.substr(at + 1, 2).c_str(), nullptr, 16));
            at += 2;
        } else {
            plain += text[at];
        }
    }
    return plain;
}

static std::vector<std::string> split(const std::string& text, char mark) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, mark);) parts.push_back(part);
    return parts;
}

class Case {
public:
    explicit Case(std::string folder) : folder_(std::move(folder)) {
        std::ifstream lines(folder_ + "/case.txt");
        for (std::string line; std::getline(lines, line);) take(split(line, ' '));
    }

    // nullptr for an optional input that the case does not have.
    aclTensor* Input(const std::string& name) const { return handleIn(inputs, name); }
    aclTensor* Output(const std::string& name) const { return handleIn(outputs, name); }

    int64_t Int(const std::string& name, int64_t otherwise) const {
        return has(name) ? std::strtoll(at(name).c_str(), nullptr, 10) : otherwise;
    }
    double Float(const std::string& name, double otherwise) const {
        return has(name) ? std::strtod(at(name).c_str(), nullptr) : otherwise;
    }
    bool Bool(const std::string& name, bool otherwise) const { return has(name) ? at(name) == "1" : otherwise; }
    char* String(const std::string& name, const char* otherwise) {
        if (!has(name)) attributes_[name] = otherwise;
        return &attributes_[name][0];
    }
    aclIntArray* ListInt(const std::string& name, std::vector<int64_t> otherwise) const {
        if (has(name)) otherwise = numbers<int64_t>(name);
        return aclCreateIntArray(otherwise.data(), otherwise.size());
    }
    aclFloatArray* ListFloat(const std::string& name, std::vector<float> otherwise) const {
        if (has(name)) otherwise = numbers<float>(name);
        return aclCreateFloatArray(otherwise.data(), otherwise.size());
    }

    // Fresh memory for every tensor; what was there before is given back only then, so that addresses move.
    void Allocate() {
        std::vector<uint8_t*> old;
        old.swap(held_);
        for (Tensor& tensor : inputs) place(tensor, tensor.before);
        for (Tensor& tensor : outputs) {
            Tensor* input = inputNamed(tensor.name);
            if (input != nullptr) {
                input->written = true;
                tensor.device = input->device;
                tensor.handle = input->handle;
            } else {
                place(tensor, filling(tensor));
            }
        }
        for (uint8_t* memory : old) must(aclrtFree(memory), "aclrtFree");
    }

    // The rule that a launch broke, with the tensor; '' twice when it kept to its memory.
    std::pair<std::string, std::string> Broken() const {
        for (const std::vector<Tensor>* list : {&inputs, &outputs}) {
            for (const Tensor& tensor : *list) {
                const std::vector<uint8_t> seen = fetched(tensor, kGuard);
                const size_t end = seen.size() - kGuard;
                for (size_t index = 0; index < seen.size(); ++index) {
                    const bool inside = index >= kGuard && index < end;
                    if (!inside && seen[index] != kGuardByte) return {"gm-out-of-range", tensor.name};
                }
                const bool constant = list == &inputs && !tensor.written;
                if (constant && std::memcmp(seen.data() + kGuard, tensor.before.data(), tensor.bytes()) != 0) {
                    return {"write-to-input", tensor.name};
                }
            }
        }
        return {"", ""};
    }

    void Write() const {
        for (const Tensor& tensor : outputs) {
            const std::vector<uint8_t> seen = fetched(tensor, 0);
            std::ofstream file(folder_ + "/" + tensor.file, std::ios::binary);
            file.write(reinterpret_cast<const char*>(seen.data()), static_cast<std::streamsize>(seen.size()));
        }
    }

    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;

private:
    void take(const std::vector<std::string>& words) {
        if (words.empty()) return;
        if (words[0] == "poison") poisonZero_ = words[1] == "zero";
        if (words[0] == "attribute") attributes_[decoded(words[1])] = words.size() > 3 ? decoded(words[3]) : "";
        if (words[0] != "input" && words[0] != "output") return;
        Tensor tensor{decoded(words[1]), types.at(words[2]), {}, words[4]};
        if (words[3] != "-")
            for (const std::string& size : split(words[3], ',')) tensor.shape.push_back(std::stoll(size));
        tensor.cleared = words.size() > 5 && words[5] == "cleared";
        if (words[0] == "input") {
            std::ifstream file(folder_ + "/" + tensor.file, std::ios::binary);
            tensor.before.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
            if (tensor.before.size() != tensor.bytes()) throw Failure{"read " + tensor.file, 1};
        }
        (words[0] == "input" ? inputs : outputs).push_back(tensor);
    }

    bool has(const std::string& name) const { return attributes_.count(name) > 0; }
    const std::string& at(const std::string& name) const { return attributes_.at(name); }

    template <typename T>
    std::vector<T> numbers(const std::string& name) const {
        std::vector<T> list;
        for (const std::string& one : split(at(name), ',')) list.push_back(static_cast<T>(std::stod(one)));
        return list;
    }

    static aclTensor* handleIn(const std::vector<Tensor>& list, const std::string& name) {
        for (const Tensor& tensor : list)
            if (tensor.name == name) return tensor.handle;
        return nullptr;
    }

    Tensor* inputNamed(const std::string& name) {
        for (Tensor& tensor : inputs)
            if (tensor.name == name) return &tensor;
        return nullptr;
    }

    std::vector<uint8_t> filling(const Tensor& tensor) const {
        std::vector<uint8_t> bytes(tensor.bytes(), 0);
        if (poisonZero_ || tensor.cleared) return bytes;
        for (size_t index = 0; index < bytes.size(); ++index)
            bytes[index] = static_cast<uint8_t>(tensor.type.poison >> (8 * (index % tensor.type.bytes)));
        return bytes;
    }

    void place(Tensor& tensor, const std::vector<uint8_t>& bytes) {
        std::vector<uint8_t> whole(bytes.size() + 2 * kGuard, kGuardByte);
        if (!bytes.empty()) std::memcpy(whole.data() + kGuard, bytes.data(), bytes.size());
        void* memory = nullptr;
        must(aclrtMalloc(&memory, whole.size(), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
        held_.push_back(static_cast<uint8_t*>(memory));
        must(aclrtMemcpy(memory, whole.size(), whole.data(), whole.size(), ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
        tensor.device = static_cast<uint8_t*>(memory) + kGuard;
        std::vector<int64_t> strides(tensor.shape.size(), 1);
        for (size_t axis = strides.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * tensor.shape[axis];
        const uint64_t rank = tensor.shape.size();
        tensor.handle = aclCreateTensor(tensor.shape.data(), rank, tensor.type.type, strides.data(), 0, ACL_FORMAT_ND,
                                        tensor.shape.data(), rank, tensor.device);
    }

    std::vector<uint8_t> fetched(const Tensor& tensor, size_t around) const {
        std::vector<uint8_t> bytes(tensor.bytes() + 2 * around);
        const void* from = tensor.device - around;
        if (!bytes.empty())
            must(aclrtMemcpy(bytes.data(), bytes.size(), from, bytes.size(), ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
        return bytes;
    }

    std::string folder_;
    bool poisonZero_ = false;
    std::map<std::string, std::string> attributes_;
    std::vector<uint8_t*> held_;
};

#include "call.h"

static std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') json += '\\';
        json += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return json + "\"";
}

// The text of report.json.
static std::string launched(Case& given, int device, int launches, int seconds) {
    must(aclInit(nullptr), "aclInit");
    must(aclrtSetDevice(device), "aclrtSetDevice");
    aclrtStream stream = nullptr;
    must(aclrtCreateStream(&stream), "aclrtCreateStream");
    uint64_t workspaceBytes = 0;
    void* workspace = nullptr;
    for (int launch = 0; launch < launches; ++launch) {
        given.Allocate();
        aclOpExecutor* executor = nullptr;
        must(Plan(given, &workspaceBytes, &executor), "GetWorkspaceSize");
        void* fresh = nullptr;
        if (workspaceBytes > 0) must(aclrtMalloc(&fresh, workspaceBytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
        if (workspace != nullptr) must(aclrtFree(workspace), "aclrtFree");
        workspace = fresh;
        must(Start(workspace, workspaceBytes, executor, stream), "launch");
        must(aclrtSynchronizeStreamWithTimeout(stream, seconds * 1000), "aclrtSynchronizeStream");
        const auto broken = given.Broken();
        if (!broken.first.empty())
            return "{\"status\":\"violated\",\"rule\":" + quoted(broken.first) +
                   ",\"tensor\":" + quoted(broken.second) + "}";
    }
    given.Write();
    return "{\"status\":\"ran\",\"workspaceBytes\":" + std::to_string(workspaceBytes) + "}";
}

int main(int count, char** words) {
    if (count != 6) return 2;
    const std::string folder = words[1];
    std::string report;
    try {
        Case given(folder);
        report = launched(given, std::atoi(words[2]), std::atoi(words[3]) + std::atoi(words[4]), std::atoi(words[5]));
    } catch (const Failure& failure) {
        const char* said = aclGetRecentErrMsg();
        report = "{\"status\":\"failed\",\"step\":" + quoted(failure.step) +
                 ",\"code\":" + std::to_string(failure.code) + ",\"message\":" + quoted(said ? said : "") + "}";
    }
    std::ofstream(folder + "/report.json") << report;
    // Without the runtime's own end: after a fault on the device that waits, and whoever reads the report need not.
    std::fflush(nullptr);
    std::_Exit(0);
}
