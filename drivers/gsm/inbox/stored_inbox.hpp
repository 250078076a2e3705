/// Reads what the modem's memories hold (+CMGR), and erases it (+CMGD) once it is durable here.
///
/// Nothing is acknowledged that was not read whole: a list (+CMGL) only says where something is, and a torn
/// PDU is read again (PduReading, PlaceTrouble). A place whose erasure was refused or not answered is read
/// again too, since it may hold another message by then.
/// Time:    by its LookPlan.
/// Source:  3GPP TS 27.005 3.2.3, 4.1 to 4.6.
#pragma once

#include "drivers/at/command.hpp"
#include "drivers/gsm/inbox/look_plan.hpp"
#include "drivers/gsm/inbox/memory_listing.hpp"
#include "drivers/gsm/inbox/pdu_reading.hpp"
#include "drivers/gsm/modem_states.hpp"
#include "drivers/gsm/reporter.hpp"

#include <algorithm>
#include <bitset>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gsm {

/// How many places of the SIM are used, reported as SimStorage. Counted between two answers of the modem that
/// say it: each sweep sets it right.
class StorageCount {
public:
    /// `reporter` outlives this object.
    explicit StorageCount(Reporter& reporter) : reporter_(reporter) {}

    [[nodiscard]] int used() const { return used_; }
    [[nodiscard]] int total() const { return total_; }  ///< 0: not told

    void set(int used, int total) {
        used = std::clamp(used, 0, std::max(total, 0));
        const bool is_news = total > 0 && (used != used_ || total != total_);
        adopt(used, total);
        if (is_news) {
            reporter_.tell(ports::SimStorage{used, total});
        }
    }
    /// As it was reported already.
    void adopt(int used, int total) {
        used_ = used;
        total_ = total;
    }

private:
    Reporter& reporter_;
    int used_ = 0;
    int total_ = 0;
};

class StoredInbox {
public:
    static constexpr int stay_max = 32;     // commands in one memory while another has work
    static constexpr int erasures_max = 3;  // of one place; then the next sweep finds it

    /// All outlive this object.
    StoredInbox(InboxShelf& shelf, LookPlan& plan, Reporter& reporter)
        : shelf_(shelf), plan_(plan), reporter_(reporter), storage_(reporter) {}

    /// The modem was set up, with AT+CPMS at SM, which holds so much.
    void begin(int used, int total);
    void adopt(Memory selected, int used, int total);
    /// Another SIM.
    void forget_trouble() {
        read_trouble_.clear();
        erase_trouble_.clear();
    }

    [[nodiscard]] Memory selected() const { return selected_; }
    [[nodiscard]] const StorageCount& storage() const { return storage_; }
    [[nodiscard]] bool is_reading() const { return job_ == Job::read; }

    void on_stored(std::string_view urc, SteadyTime now);  ///< +CMTI, +CDSI

    /// Something may be read, and is not held back after a refusal.
    [[nodiscard]] bool has_unread(SteadyTime now) const;
    /// The command for this turn. `may_read`: else only what is acknowledged is erased.
    [[nodiscard]] std::optional<at::Command> next(bool may_read, SteadyTime now);
    /// The inbox has given a command, be it this part's or another's.
    void count_command() { ++stayed_; }
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now);
    void on_piece(std::string_view line) {
        reading_.take_piece(line);
        listing_.spoil();
    }
    /// `owes_ok`: the command was ended by silence.
    [[nodiscard]] std::optional<Trigger> on_final(at::FinalResult result, bool owes_ok,
                                                  SteadyTime now);
    /// The modem can't continue: the place is read again later.
    void cut_off(SteadyTime now);

private:
    enum class Job : std::uint8_t { none, select, list, read, erase };

    [[nodiscard]] bool has_work(Memory memory, bool may_read, SteadyTime now);
    [[nodiscard]] std::optional<at::Command> next_in(Memory memory, bool may_read, SteadyTime now);
    [[nodiscard]] at::Command begin_job(Job job, const at::Command& command);
    [[nodiscard]] at::Command select(Memory memory);
    [[nodiscard]] at::Command read(Unread unread);
    [[nodiscard]] at::Command erase(Place place);
    [[nodiscard]] at::Command list(Memory memory, SteadyTime now);
    void tell(SteadyTime now);
    void tell_erased(Place place);
    void tell_listed();
    void end_select(at::FinalResult result, SteadyTime now);
    void end_list(at::FinalResult result, SteadyTime now);
    [[nodiscard]] std::optional<Trigger> end_read(at::FinalResult result, bool owes_ok,
                                                  SteadyTime now);
    void end_empty_read(SteadyTime now);
    void end_erase(at::FinalResult result, SteadyTime now);

    InboxShelf& shelf_;
    LookPlan& plan_;
    Reporter& reporter_;

    Job job_ = Job::none;
    Place place_ = {};                         // of the job
    std::optional<SteadyTime> noted_at_ = {};  // of what is read there
    PduReading reading_;
    MemoryListing listing_;
    std::string text_;  // of the command
    Memory selected_ = Memory::sm;
    int stayed_ = 0;                              // commands of the inbox since it was selected
    std::bitset<memory_count> compare_due_ = {};  // no whole list was reported since begin()
    PlaceTrouble read_trouble_;
    PlaceTrouble erase_trouble_;  // refused or not answered, and not known to be done
    StorageCount storage_;
};

}  // namespace smsrack::gsm
