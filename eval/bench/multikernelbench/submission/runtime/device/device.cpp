// The memory and the cores of the NPU that a submission's model is given: a process of the judge, which answers one
// line with one. What the model asks reaches it through the judge; nothing of the submission is loaded into it, and each
// launch is a process of its own, which loads the kernels and ends with them.
//
//   begin nan|zero forward|reverse      what fresh memory holds, and the order of blocks
//   alloc BASE BYTES BEHIND, free DATA  an allocation as the model's process laid it out
//   write PLACE HEX                     bytes of the host
//   fill TENSOR HEX, copy TENSOR TENSOR one element everywhere; elements with their type changed
//   load TENSOR FILE, save TENSOR FILE  elements in order; only the judge says these
//   launch SITE KERNEL BLOCKS ARGUMENTS COUNT POINTER...
//
// A tensor is TYPE PLACE DIMENSIONS SIZE... STRIDE..., a file's elements lie without gaps.
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "runtime/device/report.h"
#include "runtime/direct/device.h"
#include "twin/direct_launch.h"

namespace {

using twin::direct::OpenMemory;

/// What a line asks that this device does not have; nothing happened.
struct Wrong {
    std::string what;
};

const char* kernels = nullptr;  // the library of a submission that launches its kernels itself
rlim_t cpuSeconds = 0;          // of a launch
int answers = -1;
int launchEnd = -1;  // of the pipe, in a launch's process
bool reverse = false;
std::unique_ptr<OpenMemory> opened;

using Words = std::istringstream;

template <typename T> T Next(Words& words) {
    T value{};
    if (!(words >> value)) throw Wrong{"a line ends too early"};
    return value;
}

std::vector<uint8_t> NextBytes(Words& words) {
    const auto text = Next<std::string>(words);
    if (text == "-") return {};
    std::vector<uint8_t> bytes(text.size() / 2);
    for (size_t i = 0; i < bytes.size(); ++i) {
        unsigned value = 0;
        if (std::sscanf(text.c_str() + 2 * i, "%2x", &value) != 1) throw Wrong{"bytes are no hexadecimal digits"};
        bytes[i] = static_cast<uint8_t>(value);
    }
    return bytes;
}

uint8_t* Place(uint64_t place, uint64_t bytes) {
    auto* begin = reinterpret_cast<uint8_t*>(place);
    const auto* one = twin::direct::allocationOf(begin);
    if (one == nullptr || bytes > one->bytes - static_cast<uint64_t>(begin - one->data))
        throw Wrong{"a tensor does not lie in the memory of the device"};
    return begin;
}

using Bf = c10::BFloat16;
using Hf = c10::Half;

size_t BytesOf(const std::string& type) {
    if (type == "int8" || type == "uint8" || type == "bool") return 1;
    if (type == "int16" || type == "float16" || type == "bfloat16") return 2;
    if (type == "int32" || type == "float32") return 4;
    if (type == "int64" || type == "float64") return 8;
    throw Wrong{"the device has no tensors of " + type};
}

/// Elements of memory by their index, the last axis first.
struct Elements {
    std::string type;
    size_t bytes = 0;
    uint8_t* data = nullptr;
    std::vector<int64_t> sizes, strides;

    int64_t Count() const {
        int64_t count = 1;
        for (const int64_t size : sizes) count *= size;
        return count;
    }
    bool IsDense() const {
        int64_t expected = 1;
        for (size_t axis = sizes.size(); axis-- > 0; expected *= sizes[axis])
            if (sizes[axis] != 1 && strides[axis] != expected) return false;
        return true;
    }
};

Elements NextTensor(Words& words) {
    Elements one;
    one.type = Next<std::string>(words);
    one.bytes = BytesOf(one.type);
    const auto place = Next<uint64_t>(words);
    const auto count = Next<size_t>(words);
    if (count > 64) throw Wrong{"a tensor has too many dimensions"};
    for (size_t axis = 0; axis < count; ++axis) one.sizes.push_back(Next<int64_t>(words));
    for (size_t axis = 0; axis < count; ++axis) one.strides.push_back(Next<int64_t>(words));
    __int128 last = 0, elements = 1;
    for (size_t axis = 0; axis < count; ++axis) {
        if (one.sizes[axis] < 0 || one.strides[axis] < 0) throw Wrong{"a tensor goes backwards"};
        elements *= one.sizes[axis];
        last += static_cast<__int128>(one.sizes[axis] - 1) * one.strides[axis];
        if (elements > INT64_MAX || last > INT64_MAX / 16) throw Wrong{"a tensor is too large"};
    }
    if (elements > 0) one.data = Place(place, (static_cast<uint64_t>(last) + 1) * one.bytes);
    return one;
}

/// Goes over the elements in order: byte offsets from one to the next, without a multiplication for each.
class Walk {
public:
    explicit Walk(const Elements& of) : of_(of), at_(of.data), index_(of.sizes.size()) {}
    uint8_t* operator*() const { return at_; }
    void operator++() {
        for (size_t axis = of_.sizes.size(); axis-- > 0;) {
            const int64_t step = of_.strides[axis] * static_cast<int64_t>(of_.bytes);
            at_ += step;
            if (++index_[axis] < of_.sizes[axis]) return;
            at_ -= step * of_.sizes[axis];
            index_[axis] = 0;
        }
    }

private:
    const Elements& of_;
    uint8_t* at_;
    std::vector<int64_t> index_;
};

template <typename T> T At(const uint8_t* place) {
    T value;
    std::memcpy(&value, place, sizeof value);
    return value;
}

/// Of integers the last bits, of other numbers the nearest that the type has below, as aclnnCast has it.
template <typename To, typename From> To Changed(From from) {
    if constexpr (std::is_same_v<To, bool>) return static_cast<float>(from) != 0 || from != from;
    else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
        const auto value = static_cast<double>(from);
        if (value != value) return 0;
        if (value <= static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
        if (value >= static_cast<double>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
        return static_cast<To>(value);
    } else if constexpr (std::is_same_v<To, Hf> || std::is_same_v<To, Bf>) return To(static_cast<float>(from));
    else return static_cast<To>(from);
}

template <typename Visit> void WithType(const std::string& type, Visit visit) {
    if (type == "float32") visit(float{});
    else if (type == "float16") visit(Hf{});
    else if (type == "bfloat16") visit(Bf{});
    else if (type == "float64") visit(double{});
    else if (type == "int8") visit(int8_t{});
    else if (type == "uint8") visit(uint8_t{});
    else if (type == "int16") visit(int16_t{});
    else if (type == "int32") visit(int32_t{});
    else if (type == "int64") visit(int64_t{});
    else visit(bool{});
}

void CopyElements(const Elements& to, const Elements& from) {
    const int64_t count = from.Count();
    if (count != to.Count()) throw Wrong{"two tensors of a copy differ in their sizes"};
    if (count == 0) return;
    if (to.type == from.type && to.IsDense() && from.IsDense()) {
        std::memmove(to.data, from.data, static_cast<size_t>(count) * to.bytes);
        return;
    }
    Walk target(to), source(from);
    if (to.type == from.type) {
        for (int64_t i = 0; i < count; ++i, ++target, ++source) std::memcpy(*target, *source, to.bytes);
        return;
    }
    WithType(to.type, [&](auto kindTo) {
        WithType(from.type, [&](auto kindFrom) {
            for (int64_t i = 0; i < count; ++i, ++target, ++source) {
                const auto value = Changed<decltype(kindTo)>(At<decltype(kindFrom)>(*source));
                std::memcpy(*target, &value, sizeof value);
            }
        });
    });
}

void Fill(const Elements& to, const std::vector<uint8_t>& element) {
    if (element.size() != to.bytes) throw Wrong{"an element has other bytes than its type"};
    Walk target(to);
    for (int64_t left = to.Count(); left > 0; --left, ++target) std::memcpy(*target, element.data(), to.bytes);
}

/// `to`: into memory, from a file.
void Exchange(const Elements& with, const std::string& path, bool to) {
    const auto bytes = static_cast<size_t>(with.Count()) * with.bytes;
    std::fstream file(path, std::ios::binary | (to ? std::ios::in : std::ios::out | std::ios::trunc));
    const auto move = [&](uint8_t* data) {
        auto* place = reinterpret_cast<char*>(data);
        if (to) file.read(place, static_cast<std::streamsize>(bytes));
        else file.write(place, static_cast<std::streamsize>(bytes));
    };
    if (with.IsDense()) {
        move(with.data);
    } else {
        std::vector<uint8_t> dense(bytes);
        Elements packed = with;
        packed.data = dense.data();
        int64_t stride = 1;
        for (size_t axis = packed.sizes.size(); axis-- > 0; stride *= packed.sizes[axis]) packed.strides[axis] = stride;
        if (!to) CopyElements(packed, with);
        move(dense.data());
        if (to) CopyElements(with, packed);
    }
    file.flush();
    if (!file) throw std::runtime_error("the file " + path + " could not be " + (to ? "read" : "written"));
}

void SayTo(int file, const std::string& text) {
    for (size_t done = 0; done < text.size();) {
        const ssize_t put = write(file, text.data() + done, text.size() - done);
        if (put <= 0) return;
        done += static_cast<size_t>(put);
    }
}

std::string Fault(const std::string& why) { return "{\"fault\":" + twin::jsonString(why) + "}"; }

struct Launched {
    std::string site, kernel;
    uint64_t blocks;
    std::vector<uint8_t> arguments;
    std::vector<const void*> pointers;
};

void OnBroken(const twin::Violation& violation) {
    SayTo(launchEnd, "{\"violation\":" + twin::violationJson(violation) + "}");
}

void RunSpec(const twin::LaunchSpec& given, twin::Entry entry) {
    twin::LaunchSpec spec = given;
    spec.reverseOrder = reverse;
    twin::onViolation = twin::direct::endWith;
    const std::string report = twin::launchJson(twin::Launch(spec, entry));
    SayTo(launchEnd, "{\"blockDim\":" + std::to_string(spec.blockDim) + ",\"launch\":" + report + "}");
    _exit(0);
}

[[noreturn]] void RunHere(const Launched& asked) {
    close(answers);
    close(0);
    const rlimit seconds = {cpuSeconds, cpuSeconds + 2};
    setrlimit(RLIMIT_CPU, &seconds);
    // What its library does while it is loaded finds no values either.
    opened.reset();
    if (kernels == nullptr || dlopen(kernels, RTLD_LAZY | RTLD_LOCAL) == nullptr) {
        SayTo(launchEnd, Fault(kernels == nullptr ? "there are no kernels" : dlerror()));
        _exit(0);
    }
    const auto body = twin::direct::bodyAt(asked.site);
    const OpenMemory open;
    twin::direct::hooks().broken = &OnBroken;
    if (body == nullptr) {
        twin::direct::endWith({"launch-failed", -1, asked.kernel, "", "the module has no kernel of this launch",
                               "launch kernels of the module itself"});
    }
    twin::direct::Launch({asked.kernel.c_str(), asked.site.c_str(), body, asked.blocks, nullptr,
                          asked.arguments.data(), asked.arguments.size(), asked.pointers.data(),
                          asked.pointers.size()});
    // It was refused before it ran, which is on standard error.
    _exit(3);
}

std::string HeardFrom(int file) {
    std::string said;
    char piece[4096];
    for (ssize_t got; (got = read(file, piece, sizeof piece)) > 0;) said.append(piece, static_cast<size_t>(got));
    close(file);
    return said;
}

std::string EndOf(int status, const rusage& used, const std::string& said) {
    if (WIFEXITED(status) && !said.empty()) return said;
    if (!WIFSIGNALED(status)) return "{\"exit\":" + std::to_string(WEXITSTATUS(status)) + "}";
    const int signal = WTERMSIG(status);
    // Nothing that a kernel does leads to it before its time is up, but the machine's want of memory does.
    const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    if (signal == SIGKILL && seconds < cpuSeconds) return Fault("the kernel's process was killed");
    return "{\"signal\":" + std::to_string(signal) + "}";
}

std::string Launch(Words& words) {
    Launched asked;
    asked.site = Next<std::string>(words);
    const auto name = NextBytes(words);
    asked.kernel.assign(name.begin(), name.end());
    asked.blocks = Next<uint64_t>(words);
    asked.arguments = NextBytes(words);
    const auto count = Next<size_t>(words);
    for (size_t i = 0; i < count; ++i) asked.pointers.push_back(reinterpret_cast<void*>(Next<uint64_t>(words)));
    int ends[2];
    if (pipe(ends) != 0) return Fault("no pipe to be had");
    const pid_t child = fork();
    if (child < 0) return Fault("no process to be had");
    if (child == 0) {
        close(ends[0]);
        launchEnd = ends[1];
        RunHere(asked);
    }
    close(ends[1]);
    const std::string said = HeardFrom(ends[0]);
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    return EndOf(status, used, said);
}

void Begin(Words& words) {
    setenv("TWIN_FRESH_MEMORY", Next<std::string>(words).c_str(), 1);
    reverse = Next<std::string>(words) == "reverse";
}

void Release(Words& words) {
    const auto* data = reinterpret_cast<uint8_t*>(Next<uint64_t>(words));
    if (twin::direct::allocations().count(data) == 0) throw Wrong{"what is freed is no start of device memory"};
    twin::direct::release(data);
}

void Allocate(Words& words) {
    const auto base = Next<uint64_t>(words);
    const auto bytes = Next<size_t>(words), behind = Next<size_t>(words);
    if (base == 0 || twin::direct::allocateAt(reinterpret_cast<uint8_t*>(base), bytes, behind) == nullptr)
        throw std::runtime_error("no memory for " + std::to_string(bytes) + " bytes of the device");
}

std::string Answer(const std::string& line) {
    Words words(line);
    const auto what = Next<std::string>(words);
    if (what == "launch") return Launch(words);
    if (what == "begin") Begin(words);
    else if (what == "alloc") Allocate(words);
    else if (what == "free") Release(words);
    else if (what == "write") {
        const auto place = Next<uint64_t>(words);
        const auto bytes = NextBytes(words);
        std::memcpy(Place(place, bytes.size()), bytes.data(), bytes.size());
    } else if (what == "fill") {
        const auto to = NextTensor(words);
        Fill(to, NextBytes(words));
    } else if (what == "copy") {
        const auto to = NextTensor(words);
        CopyElements(to, NextTensor(words));
    } else if (what == "load" || what == "save") {
        const auto with = NextTensor(words);
        Exchange(with, Next<std::string>(words), what == "load");
    } else throw Wrong{"the device is asked for " + what};
    return "{\"ok\":true}";
}

std::string AnswerOrWhy(const std::string& line) {
    try {
        return Answer(line);
    } catch (const Wrong& wrong) {
        return "{\"wrong\":" + twin::jsonString(wrong.what) + "}";
    } catch (const std::exception& error) {
        return Fault(error.what());
    }
}

}  // namespace

/// SECONDS of CPU time for a launch, and the library of kernels, if there is one.
int main(int count, char** given) {
    if (count < 2) return 2;
    // What kernels print stays apart from the answers.
    answers = dup(1);
    dup2(2, 1);
    cpuSeconds = static_cast<rlim_t>(std::atoi(given[1]));
    kernels = count > 2 ? given[2] : nullptr;
    twin::direct::hooks().launch = &RunSpec;
    aclrtSetDevice(0);
    opened = std::make_unique<OpenMemory>();
    for (std::string line; std::getline(std::cin, line);) SayTo(answers, AnswerOrWhy(line) + "\n");
}
