/// `smsrack clients`, `smsrack client show|block|open|forget`: the named clients that submit
/// messages.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <string>

namespace smsrack::cli {

struct ClientsOptions {
    std::uint64_t limit = 1'000;
};

enum class ClientOrder : std::uint8_t { show, block, open, forget };

struct ClientOptions {
    ClientOrder order = ClientOrder::show;
    std::string name = {};
};

[[nodiscard]] Outcome<> run(const ClientsOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const ClientOptions& options, Context& context);

}  // namespace smsrack::cli
