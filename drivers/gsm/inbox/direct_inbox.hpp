/// PDUs that come directly (+CMT, +CDS): taken, and confirmed with +CNMA once they are durable here.
///
/// A modem that waits for +CNMA gives one at a time: with the next it has given up the one before. One that
/// is confirmed too late is not confirmed at all, since AT+CNMA might confirm another one by then.
/// Time:    confirm_limit from the URC to AT+CNMA.
/// Bound:   direct_bound PDUs that come while reading pauses wait here.
/// Source:  3GPP TS 27.005 3.4.1, 3.4.4.
#pragma once

#include "drivers/gsm/inbox/notify_setup.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::gsm {

class DirectInbox {
public:
    static constexpr std::size_t direct_bound = 4;
    static constexpr std::chrono::seconds confirm_limit{10};  // the modem waits 15 s or so

    /// All outlive this object. `notify` sets the modem's notification again where one was lost.
    DirectInbox(const Facts& facts, InboxShelf& shelf, NotifySetup& notify, Reporter& reporter);

    /// The modem was set up again, or another SIM is in it: it has given up all it gave.
    void drop_waiting();

    /// +CMT, +CDS. `room_kept`: places of the shelf that must stay free.
    void take(std::string_view header, std::string_view pdu_hex, std::size_t room_kept,
              SteadyTime now);
    void tell_waiting(std::size_t room_kept);
    [[nodiscard]] bool has_waiting() const { return !waiting_.empty(); }

    /// AT+CNMA for the oldest that is durable; nullopt: none.
    [[nodiscard]] std::optional<at::Command> next(SteadyTime now);
    /// Nothing that the modem gave waits to be confirmed.
    [[nodiscard]] bool is_settled() const {
        return !shelf_.awaits_confirmation() && waiting_.empty();
    }
    void on_final(at::FinalResult result, SteadyTime now);
    /// AT+CNMA was perhaps taken: a second one might confirm the next PDU.
    void cut_off();

private:
    struct Waiting {
        bool report = false;
        std::string pdu = {};
        SteadyTime came_at = {};
    };
    [[nodiscard]] bool has_room(std::size_t kept) const { return shelf_.room() > kept; }
    void tell(bool report, std::string pdu, SteadyTime came_at);

    const Facts& facts_;
    InboxShelf& shelf_;
    NotifySetup& notify_;
    Reporter& reporter_;
    std::vector<Waiting> waiting_;  // oldest first, at most direct_bound
};

}  // namespace smsrack::gsm
