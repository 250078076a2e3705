/// What an operator orders a modem to do, between messages: an AT command, a USSD code, a restart.
///
/// Errors:  bad_request: the order is refused, context says why; conflict: the port is not open;
/// busy: not now; timeout: no answer.
#pragma once

#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/line_gate.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::ports {

enum class HandOrderKind : std::uint8_t {
    at_command,  ///< `text`: "AT+CSQ"
    ussd,        ///< `text`: "*100#"
    restart,
    pin_attempts,  ///< how often PINs may still be entered: HandAnswer::pin_attempts
};

struct HandOrder {
    HandOrderKind kind = HandOrderKind::at_command;
    std::string text = {};
    bool force = false;  ///< also what can lock or divert the SIM
};

/// For the log: the name of the command alone, since what follows may be a PIN, and nothing of a code.
[[nodiscard]] inline std::string_view name_of(const HandOrder& order) {
    switch (order.kind) {
        case HandOrderKind::at_command:
            return std::string_view(order.text)
                .substr(0, order.text.find_first_of("=?\"0123456789 ;,"));
        case HandOrderKind::ussd:
            return "ussd";
        case HandOrderKind::restart:
            return "restart";
        case HandOrderKind::pin_attempts:
            return "pin_attempts";
    }
    return {};
}

/// What the network said; 3GPP TS 27.007 7.15.
struct UssdReply {
    /// 0: done; 1: it waits for an answer; 2: ended by the network; 4: not supported.
    int mode = 0;
    std::string text = {};  ///< as the modem wrote it
    int dcs = 15;           ///< TS 23.038 5
    bool hex = false;       ///< `text` is octets in hexadecimal, whatever the alphabet
};

/// How often each may still be entered wrongly; at 0 the card is locked.
struct PinAttempts {
    int pin = 0;
    int pin2 = 0;
    int puk = 0;  ///< at 0 the card is lost
    int puk2 = 0;
    friend bool operator==(const PinAttempts&, const PinAttempts&) = default;
};

struct HandAnswer {
    std::vector<std::string> lines = {};  ///< before the final result
    std::string final_result = {};        ///< "OK", "+CME ERROR: 10"
    std::optional<UssdReply> ussd = {};
    /// nullopt: not asked for, or the modem does not say.
    std::optional<PinAttempts> pin_attempts = {};
};

/// Called once, on the line's thread; only hands over.
using HandDone = std::move_only_function<void(Result<HandAnswer>)>;

/// The way to a line by its name.
///
/// Threads: any.
class LineOrders : public Interface {
public:
    /// not_found: no line has this name; then, and only then, `done` is not called.
    [[nodiscard]] virtual Result<> order(std::string_view line, HandOrder order, HandDone done) = 0;

    /// Whether the line is given work from now on; `done` as above.
    [[nodiscard]] virtual Result<> gate(std::string_view line, GateOrder order, GateDone done) = 0;
};

}  // namespace smsrack::ports
