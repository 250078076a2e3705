/// What the network delivered, PDU by PDU, and how often each message may be in the inbox.
///
/// Each message that was offered is there once, by its id. A further copy is right only where the network repeated a PDU and the service can't
/// know it: its time stamp is useless, both were in the SIM at once, or the repeat came too soon (then it is marked) or too late.
/// Unit:    whole messages; the parts of a long one that nothing followed are pieces.
/// Source:  docs/decisions, "a repeat is told by its place and time"; TR1N of 3GPP TS 24.011 10.2.
#pragma once

#include "tests/simulate/checker.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::simulate {

/// The rule of the service, as an auditor knows it.
inline constexpr std::chrono::seconds repeat_from{30};   ///< sooner no network repeats
inline constexpr std::chrono::minutes repeat_until{10};  ///< nor later
inline constexpr std::chrono::minutes reading_slack{
    2};  ///< between delivery and reading, at the ends of what is a repeat

struct InboxRow {
    std::string from = {};
    std::string content = {};
    bool incomplete = false;
    bool undecodable = false;
    bool maybe_repeat = false;
};

/// TP-SCTS of an SMS-DELIVER, 7 octets; empty where it is none. The service centre's field stands first.
[[nodiscard]] std::string time_stamp_of(std::string_view pdu);

class Received {
public:
    void offered(const Offered& message);
    void came_in(const test::InboundStep& step);
    void clock_set(SteadyTime at) { clock_set_.push_back(at); }
    /// This SIM is gone for good: what the inbox lacks of it may be lost.
    void sim_goes(const std::string& iccid, const std::vector<InboxRow>& rows);

    /// Errors: Violation of `inbound`. `rows`: the whole inbox.
    void judge(const std::vector<InboxRow>& rows) const;

private:
    /// How often something came again, beside its first time.
    struct Extra {
        std::size_t free = 0;    ///< that may be there as a message of its own
        std::size_t marked = 0;  ///< that may be there if it is marked
        std::size_t all = 0;     ///< whatever the service makes of it
    };
    struct Part {
        bool came = false;
        bool may_be_missed = false;  ///< its first time looks like a repeat of an equal one
        Extra extra = {};
    };
    struct Message {
        Offered about;
        std::map<int, Part> parts = {};
        bool gone = false;
    };
    /// Equal PDUs for one SIM.
    struct Equal {
        std::size_t held = 0;                    ///< in the SIM now
        std::optional<SteadyTime> came_at = {};  ///< last
        std::optional<SteadyTime> left_at = {};
    };
    struct Content;

    [[nodiscard]] bool clock_set_since(SteadyTime from, SteadyTime to) const;
    void note_arrival(const test::InboundStep& step);
    [[nodiscard]] std::map<std::pair<std::string, std::string>, Content> contents() const;
    void judge_content(const Content& content) const;
    void judge_pieces(const std::vector<InboxRow>& pieces) const;

    std::map<std::uint64_t, Message> messages_;                   // by id
    std::map<std::pair<std::string, std::string>, Equal> equal_;  // by SIM and PDU
    std::set<std::string> unreadable_;                            // PDUs that were meant to be so
    std::vector<SteadyTime> clock_set_;
};

}  // namespace smsrack::simulate
