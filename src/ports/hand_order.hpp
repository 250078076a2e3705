/// What a person has a modem do by hand, between messages: an AT command, a USSD code, a restart.
///
/// Errors:  bad_request: the order is refused, context says why; conflict: the port is not open;
/// busy: not now; timeout: no answer.
#pragma once

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
};

struct HandOrder {
    HandOrderKind kind = HandOrderKind::at_command;
    std::string text = {};
};

/// For the log: without what stands behind "=", which may be a PIN, and without the digits of a code.
[[nodiscard]] inline std::string_view name_of(const HandOrder& order) {
    switch (order.kind) {
        case HandOrderKind::at_command:
            return std::string_view(order.text).substr(0, order.text.find('='));
        case HandOrderKind::ussd:
            return "ussd";
        case HandOrderKind::restart:
            return "restart";
    }
    return {};
}

/// What the network said; 3GPP TS 27.007 7.15.
struct UssdReply {
    int mode =
        0;  ///< 0: done; 1: it waits for an answer; 2: ended by the network; 4: not supported
    std::string text = {};  ///< as the modem wrote it
    int dcs = 15;           ///< TS 23.038 5
    bool hex = false;       ///< `text` is octets in hexadecimal, whatever the alphabet
};

struct HandAnswer {
    std::vector<std::string> lines = {};  ///< before the final result
    std::string final_result = {};        ///< "OK", "+CME ERROR: 10"
    std::optional<UssdReply> ussd = {};
};

/// Called once, on the line's thread; only hands over.
using HandDone = std::move_only_function<void(Result<HandAnswer>)>;

/// The way to a line by its name. Threads: any.
class LineOrders {
public:
    LineOrders() = default;
    LineOrders(const LineOrders&) = delete;
    LineOrders& operator=(const LineOrders&) = delete;
    virtual ~LineOrders() = default;

    /// not_found: no line has this name; then, and only then, `done` is not called.
    [[nodiscard]] virtual Result<> order(std::string_view line, HandOrder order, HandDone done) = 0;

    /// Whether the line is given work from now on; `done` as above.
    [[nodiscard]] virtual Result<> gate(std::string_view line, GateOrder order, GateDone done) = 0;
};

}  // namespace smsrack::ports
