/// `smsrack batches`: lists batches with their counts; `smsrack batch cancel B`: cancels one.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <string>

namespace smsrack::cli {

struct BatchesOptions {
    std::uint64_t limit = 100;
};

struct BatchCancelOptions {
    std::string batch = {};
};

[[nodiscard]] Outcome<> run(const BatchesOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const BatchCancelOptions& options, Context& context);

}  // namespace smsrack::cli
