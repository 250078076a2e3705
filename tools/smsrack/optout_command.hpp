/// `smsrack optout list|add|remove`: the numbers that have opted out.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <string>

namespace smsrack::cli {

struct OptOutListOptions {
    std::uint64_t limit = 100;
};

struct OptOutChangeOptions {
    bool remove = false;
    std::string number = {};
};

[[nodiscard]] Outcome<> run(const OptOutListOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const OptOutChangeOptions& options, Context& context);

}  // namespace smsrack::cli
