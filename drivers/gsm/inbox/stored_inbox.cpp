#include "drivers/gsm/inbox/stored_inbox.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

constexpr std::array all_memories{Memory::sm, Memory::sr, Memory::me};

constexpr auto list_limit = 60s;      // until the first line of a list; a full SIM of 50 takes 20
constexpr auto list_silence = 3s;     // behind a line of it; a SIM needs 0.4 s for a record
constexpr auto read_silence = 300ms;  // behind a whole PDU, before its OK
constexpr auto store_limit = 5s;

}  // namespace

void StoredInbox::begin(int used, int total) {
    read_trouble_.clear();
    selected_ = Memory::sm;
    stayed_ = 0;
    compare_due_.set();
    storage_.set(used, total);
}

void StoredInbox::adopt(Memory selected, int used, int total) {
    selected_ = selected;
    compare_due_.set();
    storage_.adopt(used, total);
}

void StoredInbox::on_stored(std::string_view urc, SteadyTime now) {
    const auto place = place_of(urc);
    if (!place) {
        return;
    }
    if (erase_trouble_.has(*place)) {
        tell_erased(*place);  // it was, though the modem refused
    } else if (shelf_.knows(*place) && !(job_ == Job::erase && *place == place_)) {
        plan_.look_soon(now);  // or the URC lost a digit, and means another place
    }
    shelf_.note(*place, now);
    if (place->memory == Memory::sm) {
        storage_.set(storage_.used() + 1, storage_.total());
    }
}

bool StoredInbox::has_unread(SteadyTime now) const {
    return std::ranges::any_of(all_memories, [&](Memory memory) {
        return shelf_.has_unread(memory) && !plan_.is_blocked(memory, now);
    });
}

// -- what is asked next

bool StoredInbox::has_work(Memory memory, bool may_read, SteadyTime now) {
    if (plan_.is_blocked(memory, now)) {
        return false;
    }
    return shelf_.acknowledged_in(memory) != nullptr ||
           (may_read && (shelf_.has_unread(memory) || plan_.is_list_due(memory, now)));
}

std::optional<at::Command> StoredInbox::next(bool may_read, SteadyTime now) {
    const auto elsewhere = std::ranges::find_if(all_memories, [&](Memory memory) {
        return memory != selected_ && has_work(memory, may_read, now);
    });
    const bool is_alone = elsewhere == all_memories.end();
    if (is_alone || stayed_ < stay_max) {
        if (auto command = next_in(selected_, may_read, now)) {
            return command;
        }
    }
    return is_alone ? std::nullopt : std::optional(select(*elsewhere));
}

/// Erasing first keeps the SIM from filling; with one told and one being read nothing waits for the
/// store.
std::optional<at::Command> StoredInbox::next_in(Memory memory, bool may_read, SteadyTime now) {
    if (!has_work(memory, may_read, now)) {
        return std::nullopt;
    }
    if (const auto* held = shelf_.acknowledged_in(memory)) {
        return erase(held->place);
    }
    if (shelf_.has_unread(memory)) {
        return read(shelf_.take_unread(memory));
    }
    return list(memory, now);
}

at::Command StoredInbox::begin_job(Job job, const at::Command& command) {
    job_ = job;
    return command;
}

at::Command StoredInbox::select(Memory memory) {
    place_.memory = memory;
    text_ = fmt::format("AT+CPMS=\"{}\"", memory_name(memory));
    return begin_job(Job::select, {.text = text_, .prefix = "+CPMS:", .timeout = store_limit});
}

at::Command StoredInbox::erase(Place place) {
    place_ = place;
    text_ = fmt::format("AT+CMGD={}", place.index);
    return begin_job(Job::erase, {.text = text_, .timeout = store_limit});
}

at::Command StoredInbox::read(Unread unread) {
    place_ = unread.place;
    noted_at_ = unread.noted_at;
    reading_.begin();
    text_ = fmt::format("AT+CMGR={}", place_.index);
    return begin_job(Job::read, {.text = text_,
                                 .prefix = "+CMGR:",
                                 .timeout = store_limit,
                                 .takes = at::Takes::pdu,
                                 .ends = at::Ends::at_silence_too,
                                 .silence = read_silence});
}

at::Command StoredInbox::list(Memory memory, SteadyTime now) {
    plan_.listed(memory, now);
    listing_.begin(memory);
    return begin_job(Job::list, {.text = "AT+CMGL=4",
                                 .prefix = "+CMGL:",
                                 .timeout = list_limit,
                                 .takes = at::Takes::pdu,
                                 .ends = at::Ends::at_silence_too,
                                 .silence = list_silence});
}

// -- what the modem answers

void StoredInbox::on_line(at::LineKind kind, std::string_view line, SteadyTime now) {
    if (job_ == Job::read) {
        kind == at::LineKind::data ? reading_.take_pdu(line) : reading_.take_header(line);
    } else if (job_ == Job::select && place_.memory == Memory::sm) {
        storage_.set(number_field(line, 0).value_or(storage_.used()),
                     number_field(line, 1).value_or(storage_.total()));
    } else if (job_ == Job::list && kind == at::LineKind::intermediate) {
        if (const auto place = listing_.take(line); place && !shelf_.knows(*place)) {
            shelf_.note(*place, now);
        }
    }
}

std::optional<Trigger> StoredInbox::on_final(at::FinalResult result, bool owes_ok, SteadyTime now) {
    switch (std::exchange(job_, Job::none)) {
        case Job::select:
            end_select(result, now);
            break;
        case Job::read:
            return end_read(result, owes_ok, now);
        case Job::erase:
            end_erase(result, now);
            break;
        case Job::list:
            end_list(result, now);
            // Its OK may still come: it must not end the next command.
            return owes_ok ? std::optional(Trigger::no_answer) : std::nullopt;
        case Job::none:
            break;
    }
    return std::nullopt;
}

/// A place that was perhaps erased may hold another message by now: it is read again rather than erased again.
void StoredInbox::cut_off(SteadyTime now) {
    if (job_ == Job::read) {
        shelf_.put_back({place_, noted_at_});
    } else if (job_ == Job::erase) {
        end_erase({at::FinalKind::timed_out}, now);
    } else if (job_ == Job::list) {
        plan_.cut_off(selected_);
    }
    job_ = Job::none;
}

void StoredInbox::end_select(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::ok) {
        selected_ = place_.memory;
        stayed_ = 0;
    } else if (!plan_.select_failed(place_.memory, now)) {
        reporter_.note(LogLevel::warn, "memory_refused", memory_name(place_.memory));
    }
}

void StoredInbox::end_list(at::FinalResult result, SteadyTime now) {
    if (result.kind != at::FinalKind::ok || !listing_.is_whole()) {
        if (!plan_.list_failed(selected_, now)) {
            reporter_.note(LogLevel::warn, "memory_refused", memory_name(selected_));
        }
        return;
    }
    plan_.list_succeeded(selected_);
    tell_listed();
    for (const Place place : erase_trouble_.places()) {
        if (listing_.shows_empty(place)) {
            tell_erased(place);
        }
    }
    if (selected_ == Memory::sm) {
        storage_.set(listing_.lines(), storage_.total());
    }
}

/// What a run before this one erased, and died before it said so.
void StoredInbox::tell_listed() {
    const auto memory = static_cast<std::size_t>(selected_);
    if (compare_due_.test(memory)) {
        compare_due_.reset(memory);
        reporter_.tell(ports::PlacesListed{.memory = held_place({selected_, 0}).memory,
                                           .indexes = listing_.indexes()});
    }
}

std::optional<Trigger> StoredInbox::end_read(at::FinalResult result, bool owes_ok, SteadyTime now) {
    const ReadEnd end = judge_reading(reading_, result, place_, read_trouble_);
    switch (end.verdict) {
        case ReadVerdict::doubtful:  // read again when the modem is in step
            shelf_.put_back({place_, noted_at_});
            return Trigger::no_answer;
        case ReadVerdict::gone:
            end_empty_read(now);
            return std::nullopt;
        case ReadVerdict::again:
            shelf_.put_back({place_, noted_at_});
            if (end.pause.count() > 0) {
                plan_.block(place_.memory, now + end.pause);
            }
            break;
        case ReadVerdict::not_ours:
        case ReadVerdict::given_up:
            shelf_.forget(place_);
            break;
        case ReadVerdict::unreadable:
            reporter_.note(LogLevel::error, "pdu_unreadable",
                           "a message whose length does not fit its PDU was kept as it is, then "
                           "erased");
            reporter_.incident(ports::Incident::pdu_unreadable);
            tell(now);
            break;
        case ReadVerdict::whole:
            tell(now);
            break;
    }
    return owes_ok ? std::optional(Trigger::no_answer) : std::nullopt;
}

void StoredInbox::tell(SteadyTime now) {
    reporter_.tell(ports::ReceivedPdu{.token = shelf_.hold(place_, now),
                                      .status_report = selected_ == Memory::sr,
                                      .pdu = reading_.octets(),
                                      .held_at = held_place(place_),
                                      .noted_at = noted_at_});
}

void StoredInbox::tell_erased(Place place) {
    erase_trouble_.over(place);
    reporter_.tell(ports::PduErased{held_place(place)});
}

void StoredInbox::end_empty_read(SteadyTime now) {
    if (erase_trouble_.has(place_)) {
        tell_erased(place_);
    }
    shelf_.forget(place_);
    plan_.look_soon(now);  // the line that named it was perhaps torn, and meant another place
}

/// A place that was refused or not answered may be empty all the same, or filled again: it is read rather
/// than erased once more.
void StoredInbox::end_erase(at::FinalResult result, SteadyTime now) {
    auto* held = shelf_.held_at(place_);
    if (held == nullptr) {
        return;
    }
    if (result.kind == at::FinalKind::ok && place_.memory == Memory::sm) {
        storage_.set(storage_.used() - 1, storage_.total());
    }
    if (result.kind == at::FinalKind::ok || is_gone(result) || held->again) {
        tell_erased(place_);  // `again`: it was filled again meanwhile
    } else if (const int tries = erase_trouble_.add(place_, {}).tries; tries < erasures_max) {
        held->again = true;
        plan_.block(place_.memory,
                    now + PlaceTrouble::pause_after(PlaceTrouble::quick_max - 1 + tries));
    }  // else the next sweep finds it
    shelf_.release(*held);
}

}  // namespace smsrack::gsm
