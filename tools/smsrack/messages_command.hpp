/// `smsrack messages`: a list, newest first.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <string>

namespace smsrack::cli {

struct MessagesOptions {
    std::string state = {};
    std::string to = {};
    std::string ref = {};
    std::string batch = {};
    std::string client = {};
    std::string since = {};
    std::uint64_t limit = 100;
};

[[nodiscard]] Outcome<> run(const MessagesOptions& options, Context& context);

}  // namespace smsrack::cli
