/// Reads what the modem received, and erases or confirms it once it is durable here.
///
/// Stored ones (+CMTI, +CDSI, a sweep) are read with +CMGR and erased with +CMGD; direct ones
/// (+CMT, +CDS) are confirmed with +CNMA. Nothing is acknowledged that was not read whole: a list
/// (+CMGL) only says where something is, and a torn PDU is read again (PduReading, PlaceTrouble). A place
/// whose erasure was refused or not answered is read again too, since it may hold another message by then.
/// A direct one confirmed too late makes the modem switch direct delivery off (27.005 3.4.1), so CSMS and
/// CNMI are set again.
/// Time:    a sweep at begin() and every ModemSettings::sweep, and soon after a hint that one got lost.
/// Bound:   inbox_bound unacknowledged PDUs; direct ones that come while reading pauses wait here,
///          direct_bound of them.
/// Threads: the line's thread.
/// Source:  3GPP TS 27.005 3.4, 3.5.
#pragma once

#include "drivers/gsm/facts.hpp"
#include "drivers/gsm/inbox_shelf.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/pdu_reading.hpp"
#include "drivers/gsm/place_trouble.hpp"
#include "drivers/gsm/push_mode.hpp"
#include "drivers/gsm/reporter.hpp"
#include "drivers/gsm/speaker.hpp"

#include <bitset>
#include <string>
#include <vector>

namespace smsrack::gsm {

/// What is on its way out of the modem, between two commands. What was told to the line and is not known
/// to be durable is not in it: it is still in the modem, and is read again.
struct InboxCarried {
    std::vector<Held> acknowledged = {};
    std::vector<Place> unread = {};
    Memory selected = Memory::sm;
    std::array<SteadyTime, memory_count> sweep_at = {never, never, never};
    int storage_used = 0;
    int storage_total = 0;
    bool set_anew = false;  ///< AT+CSMS and AT+CNMI are due: a direct one was not confirmed
};

class InboxReader final : public Speaker {
public:
    static constexpr std::size_t direct_bound = 4;
    static constexpr int stay_max = 32;  // commands in one memory while another has work
    static constexpr int tries_max = 3;  // to read or erase one place; then the next sweep finds it
    static constexpr std::chrono::milliseconds retry_pause{500};
    /// Between two sweeps for what a torn line may have hidden.
    static constexpr std::chrono::seconds look_pause{10};
    /// How long a submit waits for what was read to be stored: a slow disk must not stop sending.
    static constexpr std::chrono::seconds store_wait{1};
    static constexpr std::uint8_t look_tries_max =
        6;  // to select or list a memory; 0.5 s, 1 s, ... 16 s apart
    /// After begin(); then as often where reports come directly, else with each sweep.
    static constexpr std::chrono::seconds notify_asked{20};
    static constexpr std::chrono::seconds confirm_limit{
        10};  // the modem waits 15 s or so for +CNMA

    /// All outlive this object.
    InboxReader(at::AtChannel& channel, const ModemSettings& settings, const Facts& facts,
                Reporter& reporter);

    /// The modem is set up, with AT+CPMS at SM: everything is looked for.
    void begin(SteadyTime now);
    /// While the inbox has no command in hand.
    [[nodiscard]] InboxCarried carried() const;
    void adopt(const InboxCarried& carried);
    /// The modem can't go on: its command is dropped, its place read again later.
    void cut_off(SteadyTime now);
    /// The SIM or the modem said that its memory is full: what can be erased is looked for now.
    void sweep(SteadyTime now);
    /// Another SIM.
    void forget_all() {
        shelf_.clear();
        read_trouble_.clear();
        erase_trouble_.clear();
        drop_waiting();
    }
    /// A line that nothing explains was heard: it may have been a URC.
    void look_soon(SteadyTime now);
    /// A submit begins; `more` wait behind it. Then: it has ended.
    void submit_begins(bool more) { push_.submit_begins(more); }
    void submit_ended(SteadyTime now) { push_.submit_ended(now); }
    /// What came in and is not yet read and stored goes before the next submit: it may say STOP.
    [[nodiscard]] bool goes_first(SteadyTime now) const;

    void on_stored(std::string_view urc, SteadyTime now);  ///< +CMTI, +CDSI
    /// +CMT, +CDS
    void on_direct(std::string_view header, std::string_view pdu_hex, SteadyTime now);
    void acknowledge(std::uint32_t token) { shelf_.acknowledge(token); }
    void pause(bool paused) { paused_ = paused; }
    /// While true it only tells the modem to store what comes in, since nobody may be there to confirm it: a
    /// modem that waits for that in vain then discards reports (27.005 3.4.1).
    void hold(bool held) { hold_ = held ? Hold::storing_due : Hold::no; }
    /// Since hold(true): the modem must still be told so.
    [[nodiscard]] bool owes_storing() const {
        return hold_ == Hold::storing_due && push_.may_push();
    }
    /// Nothing is known to be in the modem that is not durable here and erased there.
    [[nodiscard]] bool is_empty() const {
        return job_ == Job::none && waiting_.empty() && shelf_.held().empty() &&
               shelf_.unread().empty() && !service_due_ && !notify_due_;
    }
    /// Reads no more; erases what is acknowledged.
    void stop_reading() { stopped_ = true; }

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override;
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    void on_piece(std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    enum class Job : std::uint8_t {
        none,
        select,
        list,
        read,
        erase,
        confirm,
        set_service,
        set_notify,
        ask_notify,
        refuse
    };
    enum class Hold : std::uint8_t { no, storing_due, told };
    struct Direct {
        bool report = false;
        std::string pdu = {};
        SteadyTime came_at = {};
    };

    [[nodiscard]] bool may_read() const { return !paused_ && !stopped_ && shelf_.room() > 0; }
    /// A PDU that is being read keeps its room.
    [[nodiscard]] bool may_take_direct() const {
        return may_read() && shelf_.room() > (job_ == Job::read ? 1 : 0);
    }
    [[nodiscard]] bool has_work(Memory memory, SteadyTime now);
    [[nodiscard]] bool speak_in(Memory memory, SteadyTime now);
    [[nodiscard]] bool speak_confirm(SteadyTime now);
    [[nodiscard]] bool speak_notify(SteadyTime now);
    [[nodiscard]] bool speak_storing(SteadyTime now);
    void on_notify(std::string_view line, SteadyTime now);
    void modem_tells(SteadyTime now);
    bool start(Job job, const at::Command& command, SteadyTime now);
    void tell(Place place, bool report, std::string pdu, SteadyTime now);
    void take_listed(std::string_view header, SteadyTime now);
    void tell_waiting();
    void drop_waiting();
    void tell_erased(Place place);
    void set_storage(int used, int total);
    void end_select(at::FinalResult result, SteadyTime now);
    void end_list(at::FinalResult result, SteadyTime now);
    void tell_listed();
    [[nodiscard]] std::optional<Trigger> end_read(at::FinalResult result, SteadyTime now);
    [[nodiscard]] std::optional<Trigger> end_empty_read(bool is_sure, SteadyTime now);
    [[nodiscard]] std::optional<Trigger> late_ok() const;
    void end_refused_read(SteadyTime now);
    void end_torn_read(SteadyTime now);
    void read_again(int tries, SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> look_again_at(Memory memory, SteadyTime now);
    void end_erase(at::FinalResult result, SteadyTime now);
    void end_confirm(at::FinalResult result, SteadyTime now);
    void end_notify(at::FinalResult result, SteadyTime now);

    at::AtChannel& channel_;
    const ModemSettings& settings_;
    const Facts& facts_;
    Reporter& reporter_;

    InboxShelf shelf_;
    std::vector<Direct> waiting_;  // direct ones that came while paused, at most direct_bound
    bool paused_ = false;
    bool stopped_ = false;
    Hold hold_ = Hold::no;

    Job job_ = Job::none;
    Place place_ = {};                         // of the job in hand
    std::optional<SteadyTime> noted_at_ = {};  // of what is read there
    PduReading reading_;
    std::string text_;  // of its command
    Memory selected_ = Memory::sm;
    int stayed_ = 0;  // commands since the last select
    std::array<SteadyTime, memory_count> sweep_at_ = {never, never, never};
    std::array<SteadyTime, memory_count> blocked_until_ = {};  // after a refusal; {}: not
    PlaceTrouble read_trouble_;
    PlaceTrouble erase_trouble_;  // refused or not answered, and not known to be done
    PushMode push_;
    bool pushing_ = false;               // as the AT+CNMI in hand says
    SteadyTime notify_not_before_ = {};  // after a refusal
    SteadyTime look_not_before_ = {};    // look_pause after the last hint
    int storage_used_ = 0;               // places of SM
    int storage_total_ = 0;
    std::array<std::uint8_t, memory_count> look_tries_ =
        {};                   // refused or garbled, one after the other
    int listed_ = 0;          // by the list in hand
    bool list_whole_ = true;  // each line of it could be read
    std::bitset<places_max> listed_places_ = {};
    std::bitset<memory_count> compare_due_ = {};  // no whole list was told since begin()
    bool service_due_ = false;                    // AT+CSMS=1 and AT+CNMI are to be set again
    bool notify_due_ = false;
    bool refuse_due_ = false;  // what came directly to a service that is no more
    bool can_refuse_ =
        true;  // false: AT+CNMA=2 was not answered, which is not to happen again and again
    SteadyTime ask_notify_at_ = never;
};

/// AT+CNMI for this modem: reports into SR where it has that, else directly; messages into the SIM, or
/// `pushed` to us. Mode 2 is the one that a WAVECOM has too.
[[nodiscard]] std::string_view notify_command(const Facts& facts, bool pushed = false);

}  // namespace smsrack::gsm
