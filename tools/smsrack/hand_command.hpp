/// `smsrack at NAME COMMAND`, `smsrack ussd NAME CODE`, `smsrack modem reset NAME`: an
/// administrator's orders to a modem.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct AtOptions {
    std::string modem = {};
    std::string command = {};  ///< "-": of standard input
    bool force = false;
};

struct UssdOptions {
    std::string modem = {};
    std::string code = {};  ///< "-": of standard input
    bool force = false;
};

struct ModemResetOptions {
    std::string modem = {};
};

/// A final result that is not OK is a failure, after its lines were printed.
[[nodiscard]] Outcome<> run(const AtOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const UssdOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const ModemResetOptions& options, Context& context);

}  // namespace smsrack::cli
