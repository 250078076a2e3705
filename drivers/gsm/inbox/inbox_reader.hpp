/// Receives: which part of the inbox speaks next, and what holds it back.
///
/// Direct PDUs are confirmed first (DirectInbox), then the modem is kept notifying (NotifySetup), then its
/// memories are read and erased (StoredInbox). Nothing is acknowledged to the modem that is not durable here.
/// Time:    store_wait at most between what was read and the next submit.
/// Bound:   inbox_bound unacknowledged PDUs.
/// Source:  3GPP TS 27.005 3.4, 3.5.
#pragma once

#include "drivers/gsm/inbox/direct_inbox.hpp"
#include "drivers/gsm/inbox/stored_inbox.hpp"
#include "drivers/gsm/speaker.hpp"
#include "src/base/members.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace smsrack::gsm {

/// What is on its way out of the modem, between two commands. What was reported to the line and is not known
/// to be durable is not in it: it is still in the modem, and is read again.
struct InboxCarried {
    std::vector<Held> acknowledged = {};
    std::vector<Place> unread = {};
    Memory selected = Memory::sm;
    MemoryTimes sweep_at = {never, never, never};
    int storage_used = 0;
    int storage_total = 0;
    bool set_anew = false;  ///< AT+CSMS and AT+CNMI are due: a direct one was not confirmed
    SMSRACK_MEMBERS(acknowledged, unread, selected, sweep_at, storage_used, storage_total,
                    set_anew);
};

class InboxReader final : public Speaker {
public:
    /// How long a submit waits for what was read to be stored: a slow disk must not stop sending.
    static constexpr std::chrono::seconds store_wait{1};

    using Speaker::Speaker;

    /// The modem is set up, with AT+CPMS at SM: everything is looked for.
    void begin(SteadyTime now);
    /// While the inbox has no command in flight.
    [[nodiscard]] InboxCarried carried() const;
    void adopt(const InboxCarried& carried);
    /// The modem can't continue: its command is dropped, its place read again later.
    void cut_off(SteadyTime now);
    /// The SIM or the modem said that its memory is full: what can be erased is looked for now.
    void sweep(SteadyTime now) { plan_.sweep(now); }
    /// Another SIM.
    void forget_all();
    /// A line that nothing explains was heard: it may have been a URC.
    void look_soon(SteadyTime now) { plan_.look_soon(now); }
    /// A submit begins; `more` wait behind it. Then: it has ended.
    void submit_begins(bool more) { notify_.submit_begins(more); }
    void submit_ended(SteadyTime now) { notify_.submit_ended(now); }
    /// What came in and is not yet read and stored goes before the next submit: it may say STOP.
    [[nodiscard]] bool goes_first(SteadyTime now) const;

    void on_stored(std::string_view urc, SteadyTime now) { stored_.on_stored(urc, now); }
    /// +CMT, +CDS
    void on_direct(std::string_view header, std::string_view pdu_hex, SteadyTime now) {
        direct_.take(header, pdu_hex, room_kept(), now);
    }
    void acknowledge(std::uint32_t token) { shelf_.acknowledge(token); }
    void pause(bool paused) { paused_ = paused; }
    /// While true it only tells the modem to store what comes in, since no service may be running to confirm it: a
    /// modem that waits for that in vain then discards reports (27.005 3.4.1).
    void hold(bool held) { notify_.hold(held); }
    /// Since hold(true): the modem must still get the order.
    [[nodiscard]] bool owes_storing() const { return notify_.owes_storing(); }
    [[nodiscard]] std::optional<bool> push_works() const { return notify_.push_works(); }
    /// Nothing is known to be in the modem that is not durable here and erased there.
    [[nodiscard]] bool is_empty() const;

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override;
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    void on_piece(std::string_view line, SteadyTime) override { stored_.on_piece(line); }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    enum class Part : std::uint8_t { none, direct, notify, stored };

    [[nodiscard]] bool may_read() const { return !paused_ && shelf_.room() > 0; }
    /// Of the shelf's places those that no direct PDU gets: all while nothing is read, and that of the PDU
    /// that is being read.
    [[nodiscard]] std::size_t room_kept() const;
    /// False where there is no command.
    [[nodiscard]] bool start(Part part, const std::optional<at::Command>& command, SteadyTime now);

    InboxShelf shelf_;
    LookPlan plan_{settings_, facts_};
    NotifySetup notify_{settings_, facts_, plan_, reporter_};
    DirectInbox direct_{facts_, shelf_, notify_, reporter_};
    StoredInbox stored_{shelf_, plan_, reporter_};
    bool paused_ = false;
    Part part_ = Part::none;  // whose command is outstanding
};

}  // namespace smsrack::gsm
