/// What the network delivered, PDU by PDU, and how often each message may be in the inbox.
///
/// Each message that was offered is there once, by its id. A further copy is right only where the service can't know that the network repeated
/// a PDU: its time stamp is useless, the SIM held both at once, or they were read too soon after each other, or too late. When a PDU was read is
/// between its delivery and its erasure.
/// Unit:    whole messages; the parts of a long one that nothing followed are pieces.
/// Source:  docs/decisions/0031-what-is-a-repeat.md, by an auditor of its own.
#pragma once

#include "tests/days/checkers/checker.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::days {

/// A PDU with a credible time stamp that is read again within this time is a repeat by the network, and not kept.
inline constexpr std::chrono::seconds repeat_from{30};
inline constexpr std::chrono::minutes repeat_until{5};
inline constexpr std::chrono::seconds read_late{5};  ///< after the modem had it, on a busy line
/// Without one, what was in its place for this long may be another message there.
inline constexpr std::chrono::minutes place_trusted{10};
/// An answer is on the disk, even a full one.
inline constexpr std::chrono::minutes kept_within{5};

struct InboxRow {
    std::string from = {};
    std::string content = {};
    bool incomplete = false;
    bool undecodable = false;
    bool maybe_repeat = false;
};

/// TP-SCTS of an SMS-DELIVER, 7 octets; empty where it is none. The service centre's field comes
/// first.
[[nodiscard]] std::string time_stamp_of(std::string_view pdu);

class Received {
public:
    void offered(const Offered& message);
    void came_in(const test::InboundStep& step);
    void clock_set(SteadyTime at) { clock_set_.push_back(at); }
    /// Another process began: what was said to the one before a short time ago may be lost.
    void restarted(SteadyTime at);
    /// This SIM is gone for good: what the inbox lacks of it may be lost.
    void sim_goes(const std::string& iccid, const std::vector<InboxRow>& rows);

    /// Errors: Violation of `inbound`. `rows`: the whole inbox.
    void judge(const std::vector<InboxRow>& rows) const;

private:
    /// How often something came again, after its first time.
    struct Extra {
        std::size_t free = 0;    ///< that may be there as a message of its own
        std::size_t marked = 0;  ///< that may be there if it is marked, and not otherwise
        std::size_t all = 0;     ///< whatever the service makes of it
    };
    struct Part {
        bool came = false;
        bool may_be_missed = false;  ///< its first time looks like a repeat of an equal one
        /// In the place of an equal one, whose erasure the host was not told of.
        bool is_hidden = false;
        Extra extra = {};
    };
    struct Message {
        Offered about;
        std::map<int, Part> parts = {};
        bool gone = false;
    };
    /// One that the SIM or the host was given, and that has not left yet.
    struct Arrival {
        std::uint64_t id = 0;
        int segment = 1;
        SteadyTime at = {};
        bool is_given = false;                      ///< directly
        bool is_first = false;                      ///< of its message
        std::optional<SteadyTime> equal_came = {};  ///< the last one before it
        std::optional<SteadyTime> equal_left = {};  ///< nullopt: it is still there
    };
    /// An equal PDU left its place.
    struct Left {
        SteadyTime at = {};
        std::optional<SteadyTime> confirmed_at = {};  ///< the host was notified
    };
    /// Equal PDUs for one SIM.
    struct Equal {
        bool is_dead = false;  ///< its time stamp is useless
        std::vector<Arrival> held = {};
        std::optional<SteadyTime> came_at = {};  ///< last
        std::optional<SteadyTime> left_at = {};  ///< none came since then
        std::optional<SteadyTime> last_left = {};
        std::map<std::size_t, Left> left = {};  ///< by place; 0: given to the host
    };
    struct Content;

    [[nodiscard]] bool clock_set_between(SteadyTime from, SteadyTime to) const;
    void arrives(const test::InboundStep& step, Equal& equal);
    [[nodiscard]] bool is_given_again(const test::InboundStep& step, Equal& equal);
    void note_readings(const Arrival& arrival, SteadyTime until);
    [[nodiscard]] bool is_place_claimed(const test::InboundStep& step, const Equal& equal) const;
    void confirms(const test::InboundStep& step);
    void leaves(const test::InboundStep& step, Equal& equal);
    void judge_time(const Arrival& arrival, SteadyTime left_at);
    [[nodiscard]] std::map<std::pair<std::string, std::string>, Content> contents() const;
    void judge_content(const Content& content) const;
    void judge_pieces(const std::vector<InboxRow>& pieces) const;

    std::map<std::uint64_t, Message> messages_;                   // by id
    std::map<std::pair<std::string, std::string>, Equal> equal_;  // by SIM and PDU
    std::set<std::string> unreadable_;                            // PDUs that were meant to be so
    std::map<unsigned, Left*> last_left_;                         // by modem
    std::vector<SteadyTime> clock_set_;
};

}  // namespace smsrack::days
