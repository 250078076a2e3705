/// The table of causes: class, meaning, advice and special rules of each code. They decide what
/// happens next.
///
/// The rows are read from a file (src/causes); this is the table that the rack asks.
/// Threads: any; it never changes once made.
/// Source:  3GPP TS 27.005 3.2.5 and TS 23.040 9.2.3.15; the classes are our judgement.
#pragma once

#include "src/sms/message_states.hpp"
#include "src/sms/outcome.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack {

enum class CauseClass : std::uint8_t {
    none,
    permanent,  ///< fail the message
    transient,  ///< try again later, another line allowed
    modem,      ///< this modem or SIM is at fault: another line
    network,    ///< the network is at fault: later
    ambiguous,  ///< may have been sent: uncertain
    quota,      ///< the SIM is barred or spent: another line
    bug,        ///< our mistake: fail and log loudly
};
inline constexpr std::array<std::string_view, 8> cause_class_names{
    "none", "permanent", "transient", "modem", "network", "ambiguous", "quota", "bug"};

[[nodiscard]] constexpr std::string_view cause_class_name(CauseClass cause_class) {
    return cause_class_names.at(static_cast<std::size_t>(cause_class));
}

/// What a status report says of its segment.
enum class ReportSays : std::uint8_t {
    pending,  ///< nothing yet, or nothing that can be known: the segment stays sent
    delivered,
    undelivered,
    expired,
};

/// What one code means, or a range of codes.
struct CauseInfo {
    CauseClass cause_class = CauseClass::none;  ///< also once the PDU had left, but for:
    std::optional<CauseClass> after_pdu = {};
    std::string meaning = {};
    std::string advice = {};
    /// With the so-many-th attempt of a segment that ends in this code it is given up.
    std::optional<std::uint16_t> tries = {};
    std::optional<std::chrono::seconds> pause = {};  ///< first pause before the next attempt
    bool without_validity = false;  ///< the next attempts ask for no validity period
    bool arrived = false;           ///< after an attempt in doubt: the proof that it had arrived
    ReportSays says = ReportSays::pending;  ///< with a TP-Status

    /// `pdu_sent`: the PDU had gone out when the cause came; some codes are ambiguous only then.
    [[nodiscard]] CauseClass class_of(bool pdu_sent) const {
        return pdu_sent ? after_pdu.value_or(cause_class) : cause_class;
    }
};

/// The codes `first` to `last` of one kind.
struct CauseRow {
    CodeKind kind = CodeKind::cms;
    std::int32_t first = 0;
    std::int32_t last = 0;
    CauseInfo info = {};
};

class ErrorTable {
public:
    /// Of several rows that hold a code the narrowest counts, and of equal ones the first.
    explicit ErrorTable(std::vector<CauseRow> rows);

    /// This table with others laid over it: each row of `over` goes before all rows of this one.
    [[nodiscard]] ErrorTable with(std::vector<CauseRow> over) const;

    /// Never fails: where no row holds the code, it is of no class and says so. Valid as long as
    /// the table.
    [[nodiscard]] const CauseInfo& info(Cause cause) const;

    /// What a status report does to its segment; nullopt if it stays as it is.
    [[nodiscard]] std::optional<MessageEvent> report_event(std::uint8_t tp_status) const;

    [[nodiscard]] const std::vector<CauseRow>& rows() const { return rows_; }

private:
    std::vector<CauseRow> rows_;  // the first that holds a code is the one
};

}  // namespace smsrack
