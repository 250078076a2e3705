#include "drivers/gsm/inbox_reader.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, memory_count> memory_names{"SM", "SR", "ME"};
constexpr std::array all_memories{Memory::sm, Memory::sr, Memory::me};

/// 3GPP TS 27.005 3.2.5: invalid memory index; there is nothing (any more).
constexpr int cms_invalid_index = 321;

/// <stat> of what was received; 2 and 3 are what somebody stored to send.
constexpr int stat_received_last = 1;

constexpr auto list_limit = 60s;      // until the first line of a list; a full SIM of 50 takes 20
constexpr auto list_silence = 3s;     // behind a line of it; a SIM needs 0.4 s for a record
constexpr auto read_silence = 300ms;  // behind a whole PDU, before its OK
constexpr auto store_limit = 5s;

std::size_t number(Memory memory) {
    return static_cast<std::size_t>(memory);
}

bool is_gone(at::FinalResult result) {
    return result.kind == at::FinalKind::cms_error && result.code == cms_invalid_index;
}

}  // namespace

InboxReader::InboxReader(at::AtChannel& channel, const ModemSettings& settings, const Facts& facts,
                         Reporter& reporter)
    : channel_(channel), settings_(settings), facts_(facts), reporter_(reporter) {
    waiting_.reserve(direct_bound);
}

void InboxReader::begin(SteadyTime now) {
    cut_off(now);
    shelf_.forget_unread();
    shelf_.drop_direct();
    read_trouble_.clear();
    drop_waiting();
    push_.begin(facts_.confirms && settings_.push, now);
    look_tries_ = {};
    selected_ = Memory::sm;
    stayed_ = 0;
    service_due_ = notify_due_ = false;
    compare_due_.set();
    refuse_due_ = can_refuse_ && facts_.confirms && (settings_.push || !facts_.reports_stored);
    ask_notify_at_ = facts_.confirms ? now + notify_asked : never;
    sweep_at_ = {now, facts_.reports_stored ? now : never, never};
    blocked_until_ = {};
    set_storage(facts_.storage_used, facts_.storage_total);
}

InboxCarried InboxReader::carried() const {
    InboxCarried carried{.unread = shelf_.unread(),
                         .selected = selected_,
                         .sweep_at = sweep_at_,
                         .storage_used = storage_used_,
                         .storage_total = storage_total_,
                         .set_anew = service_due_ || notify_due_ || !waiting_.empty()};
    for (const Held& held : shelf_.held()) {
        if (held.acknowledged) {
            carried.acknowledged.push_back(held);
        } else if (held.place.memory == Memory::direct) {
            carried.set_anew = true;
        } else {
            carried.unread.push_back(held.place);
        }
    }
    return carried;
}

void InboxReader::adopt(const InboxCarried& carried) {
    for (const Held& held : carried.acknowledged) {
        shelf_.adopt_acknowledged(held);
    }
    for (const Place place : carried.unread) {
        shelf_.note(place, std::nullopt);
    }
    selected_ = carried.selected;
    sweep_at_ = carried.sweep_at;
    storage_used_ = carried.storage_used;
    storage_total_ = carried.storage_total;
    service_due_ = notify_due_ = carried.set_anew;
    refuse_due_ = carried.set_anew && facts_.confirms;
    ask_notify_at_ = facts_.confirms ? SteadyTime{} : never;
    compare_due_.set();
    push_.adopt(facts_.confirms && settings_.push);
}

void InboxReader::sweep(SteadyTime now) {
    sweep_at_[number(Memory::sm)] = now;
    if (facts_.reports_stored) {
        sweep_at_[number(Memory::sr)] = now;
    }
}

/// Counted between two answers that tell: each sweep sets it right.
void InboxReader::set_storage(int used, int total) {
    used = std::clamp(used, 0, std::max(total, 0));
    const bool is_news = total > 0 && (used != storage_used_ || total != storage_total_);
    storage_used_ = used;
    storage_total_ = total;
    if (is_news) {
        reporter_.tell(ports::SimStorage{used, total});
    }
}

/// A place that was perhaps erased may hold another message by now: it is read again rather than erased again.
void InboxReader::cut_off(SteadyTime now) {
    if (job_ == Job::read) {
        shelf_.put_back({place_, noted_at_});
    } else if (job_ == Job::erase) {
        end_erase({at::FinalKind::timed_out}, now);
    } else if (job_ == Job::list) {
        sweep_at_[number(selected_)] = {};
    } else if (auto* held = shelf_.acknowledged_in(Memory::direct);
               job_ == Job::confirm && held != nullptr) {
        shelf_.release(*held);  // perhaps confirmed: a second AT+CNMA might confirm the next one
        service_due_ = notify_due_ = true;
    }
    job_ = Job::none;
}

void InboxReader::tell_erased(Place place) {
    erase_trouble_.over(place);
    reporter_.tell(ports::PduErased{held_place(place)});
}

void InboxReader::on_stored(std::string_view urc, SteadyTime now) {
    const auto memory = memory_of(field(urc, 0));
    const auto index = number_field(urc, 1);
    if (memory && index && *index >= 0 && static_cast<std::size_t>(*index) < places_max) {
        const Place place{*memory, static_cast<std::uint16_t>(*index)};
        if (erase_trouble_.has(place)) {
            tell_erased(place);  // it was, though the modem refused
        } else if (shelf_.knows(place) && !(job_ == Job::erase && place == place_)) {
            look_soon(now);  // or the URC lost a digit, and means another place
        }
        shelf_.note(place, now);
        if (*memory == Memory::sm) {
            set_storage(storage_used_ + 1, storage_total_);
        }
    }
}

void InboxReader::tell(Place place, bool report, std::string pdu, SteadyTime now) {
    const auto token = shelf_.hold(place, now);
    const bool held = place.memory != Memory::direct || facts_.confirms;
    reporter_.tell(
        ports::ReceivedPdu{.token = token,
                           .status_report = report,
                           .pdu = std::move(pdu),
                           .held_at = held ? std::optional(held_place(place)) : std::nullopt,
                           .noted_at = place.memory == Memory::direct ? std::nullopt : noted_at_});
}

void InboxReader::look_soon(SteadyTime now) {
    const SteadyTime at = std::max(now + retry_pause, look_not_before_);
    if (sweep_at_[number(Memory::sm)] <= at) {
        return;  // a hint before this one has ordered it
    }
    look_not_before_ = at + look_pause;
    sweep_at_[number(Memory::sm)] = at;
    if (facts_.reports_stored) {
        sweep_at_[number(Memory::sr)] = std::min(sweep_at_[number(Memory::sr)], at);
    }
    ask_notify_at_ = std::min(ask_notify_at_, facts_.confirms ? at : never);
}

bool InboxReader::goes_first(SteadyTime now) const {
    const bool is_unread = std::ranges::any_of(all_memories, [&](Memory memory) {
        return shelf_.has_unread(memory) && now >= blocked_until_[number(memory)];
    });
    return (may_read() && is_unread) || job_ == Job::read ||
           shelf_.unacknowledged_since(now - store_wait) != nullptr;
}

bool InboxReader::has_work(Memory memory, SteadyTime now) {
    if (now < blocked_until_[number(memory)]) {
        return false;
    }
    return shelf_.acknowledged_in(memory) != nullptr ||
           (may_read() && (shelf_.has_unread(memory) || now >= sweep_at_[number(memory)]));
}

bool InboxReader::start(Job job, const at::Command& command, SteadyTime now) {
    job_ = job;
    ++stayed_;
    channel_.start(command, now);
    return true;
}

bool InboxReader::speak(SteadyTime now) {
    if (hold_ != Hold::no) {
        return owes_storing() && speak_storing(now);
    }
    tell_waiting();
    for (auto& until : blocked_until_) {
        until = now >= until ? SteadyTime{} : until;
    }
    if (speak_confirm(now)) {
        return true;
    }
    const auto elsewhere = std::ranges::find_if(
        all_memories, [&](Memory memory) { return memory != selected_ && has_work(memory, now); });
    const bool may_stay = elsewhere == all_memories.end() || stayed_ < stay_max;
    if (may_stay && speak_in(selected_, now)) {
        return true;
    }
    if (elsewhere == all_memories.end()) {
        return false;
    }
    place_.memory = *elsewhere;
    text_ = fmt::format("AT+CPMS=\"{}\"", memory_names.at(number(*elsewhere)));
    return start(Job::select, {.text = text_, .prefix = "+CPMS:", .timeout = store_limit}, now);
}

/// Erasing first keeps the SIM from filling; with one told and one being read nothing waits for the
/// store.
bool InboxReader::speak_in(Memory memory, SteadyTime now) {
    if (!has_work(memory, now)) {
        return false;
    }
    if (const auto* held = shelf_.acknowledged_in(memory)) {
        place_ = held->place;
        text_ = fmt::format("AT+CMGD={}", place_.index);
        return start(Job::erase, {.text = text_, .timeout = store_limit}, now);
    }
    if (shelf_.has_unread(memory)) {
        const Unread unread = shelf_.take_unread(memory);
        place_ = unread.place;
        noted_at_ = unread.noted_at;
        reading_.begin();
        text_ = fmt::format("AT+CMGR={}", place_.index);
        return start(Job::read,
                     {.text = text_,
                      .prefix = "+CMGR:",
                      .timeout = store_limit,
                      .takes = at::Takes::pdu,
                      .ends = at::Ends::at_silence_too,
                      .silence = read_silence},
                     now);
    }
    if (now >= sweep_at_[number(memory)]) {
        sweep_at_[number(memory)] = now + settings_.sweep;
        listed_ = 0;
        list_whole_ = true;
        listed_places_.reset();
        return start(Job::list,
                     {.text = "AT+CMGL=4",
                      .prefix = "+CMGL:",
                      .timeout = list_limit,
                      .takes = at::Takes::pdu,
                      .ends = at::Ends::at_silence_too,
                      .silence = list_silence},
                     now);
    }
    return false;
}

SteadyTime InboxReader::next_turn() const {
    if (hold_ != Hold::no) {
        return owes_storing() ? SteadyTime{} : never;
    }
    SteadyTime next = std::min(ask_notify_at_, push_.due_at());
    for (std::size_t memory = 0; memory < memory_count; ++memory) {
        if (may_read()) {
            next = std::min(next, std::max(sweep_at_[memory], blocked_until_[memory]));
        }
        if (blocked_until_[memory] != SteadyTime{}) {
            next = std::min(next, blocked_until_[memory]);
        }
    }
    return next;
}

void InboxReader::on_line(at::LineKind kind, std::string_view line, SteadyTime now) {
    if (job_ == Job::read) {
        kind == at::LineKind::data ? reading_.take_pdu(line) : reading_.take_header(line);
    } else if (job_ == Job::select && place_.memory == Memory::sm) {
        set_storage(number_field(line, 0).value_or(storage_used_),
                    number_field(line, 1).value_or(storage_total_));
    } else if (job_ == Job::list && kind == at::LineKind::intermediate) {
        take_listed(line, now);
    } else if (job_ == Job::ask_notify) {
        on_notify(line, now);
    }
}

void InboxReader::on_piece(std::string_view line, SteadyTime) {
    reading_.take_piece(line);
    list_whole_ = false;
}

/// Where something is; what it is must be read there. A torn header may have the index of another place, so
/// the PDU behind it is not taken: erasing that place would destroy what nobody has read.
void InboxReader::take_listed(std::string_view header, SteadyTime now) {
    ++listed_;
    const auto index = number_field(header, 0);
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= places_max ||
        listed_places_.test(static_cast<std::size_t>(*index))) {
        list_whole_ = false;  // one place is listed once
        return;
    }
    listed_places_.set(static_cast<std::size_t>(*index));
    const Place place{selected_, static_cast<std::uint16_t>(*index)};
    const bool received =
        number_field(header, 1).value_or(stat_received_last) <= stat_received_last;
    if (received && !shelf_.knows(place)) {
        shelf_.note(place, now);
    }
}

std::optional<Trigger> InboxReader::on_final(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::timed_out) {
        can_refuse_ = can_refuse_ && job_ != Job::refuse;
        cut_off(now);
        return Trigger::no_answer;
    }
    switch (std::exchange(job_, Job::none)) {
        case Job::select:
            end_select(result, now);
            break;
        case Job::read:
            return end_read(result, now);
        case Job::erase:
            end_erase(result, now);
            break;
        case Job::confirm:
            end_confirm(result, now);
            break;
        case Job::list:
            end_list(result, now);
            return late_ok();
        case Job::set_notify:
            end_notify(result, now);
            break;
        case Job::none:
        case Job::set_service:
        case Job::ask_notify:
        case Job::refuse:  // refused: there was none
            break;
    }
    return std::nullopt;
}

/// When a memory that refused is asked again: a busy SIM soon answers (3GPP TS 27.005 3.2.5, 314). Nothing: not before the next sweep.
std::optional<SteadyTime> InboxReader::look_again_at(Memory memory, SteadyTime now) {
    auto& tries = look_tries_[number(memory)];
    if (++tries == look_tries_max) {
        tries = 0;
        reporter_.note(LogLevel::warn, "memory_refused", memory_names.at(number(memory)));
        return std::nullopt;
    }
    return now + retry_pause * (1U << (tries - 1U));
}

void InboxReader::end_select(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::ok) {
        selected_ = place_.memory;
        stayed_ = 0;
    } else {
        blocked_until_[number(place_.memory)] =
            look_again_at(place_.memory, now).value_or(now + settings_.sweep);
    }
}

void InboxReader::end_list(at::FinalResult result, SteadyTime now) {
    const bool is_whole = result.kind == at::FinalKind::ok && list_whole_;
    if (is_whole) {
        look_tries_[number(selected_)] = 0;
        tell_listed();
    } else if (const auto again = look_again_at(selected_, now)) {
        sweep_at_[number(selected_)] = *again;
    }
    for (const Place place : is_whole ? erase_trouble_.places() : std::vector<Place>{}) {
        if (place.memory == selected_ && !listed_places_.test(place.index)) {
            tell_erased(place);
        }
    }
    if (is_whole && selected_ == Memory::sm) {
        set_storage(listed_, storage_total_);
    }
}

/// A command that was ended by silence may still have its OK to come: it must not end the next one.
std::optional<Trigger> InboxReader::late_ok() const {
    return channel_.may_owe_ok() ? std::optional(Trigger::no_answer) : std::nullopt;
}

/// What a run before this one erased, and died before it said so.
void InboxReader::tell_listed() {
    if (!compare_due_.test(number(selected_))) {
        return;
    }
    compare_due_.reset(number(selected_));
    ports::PlacesListed listed{.memory = held_place({selected_, 0}).memory};
    for (std::size_t index = 0; index < places_max; ++index) {
        if (listed_places_.test(index)) {
            listed.indexes.push_back(static_cast<std::uint16_t>(index));
        }
    }
    reporter_.tell(std::move(listed));
}

std::optional<Trigger> InboxReader::end_read(at::FinalResult result, SteadyTime now) {
    const bool is_ok = result.kind == at::FinalKind::ok;
    if (is_gone(result) || (is_ok && reading_.is_empty())) {
        return end_empty_read(is_gone(result) || reading_.has_header(), now);
    }
    if (is_ok && reading_.is_to_send()) {
        read_trouble_.over(place_);
        shelf_.forget(place_);
    } else if (is_ok && reading_.is_whole()) {
        read_trouble_.over(place_);
        tell(place_, selected_ == Memory::sr, reading_.octets(), now);
    } else if (is_ok) {
        end_torn_read(now);
    } else {
        end_refused_read(now);
    }
    return late_ok();
}

/// An OK alone may be the late one of the command before, so it is asked again once the modem is in step.
std::optional<Trigger> InboxReader::end_empty_read(bool is_sure, SteadyTime now) {
    if (!is_sure && read_trouble_.add(place_, {}).tries == 1) {
        shelf_.put_back({place_, noted_at_});
        return Trigger::no_answer;
    }
    if (erase_trouble_.has(place_)) {
        tell_erased(place_);
    }
    read_trouble_.over(place_);
    shelf_.forget(place_);
    look_soon(now);  // the line that named it was perhaps torn, and meant another place
    return std::nullopt;
}

void InboxReader::end_refused_read(SteadyTime now) {
    const auto count = read_trouble_.add(place_, {});
    if (count.tries < tries_max) {
        return read_again(PlaceTrouble::quick_max, now);
    }
    read_trouble_.over(place_);
    shelf_.forget(place_);  // the next sweep sees whether it is still there
}

/// Readings that differ were torn on their way. Equal ones are what the modem has: it is kept as it is, and
/// a person is told.
void InboxReader::end_torn_read(SteadyTime now) {
    const auto count = read_trouble_.add(place_, reading_.text());
    if (count.equal < PlaceTrouble::equal_max) {
        return read_again(count.tries, now);
    }
    read_trouble_.over(place_);
    reporter_.note(LogLevel::error, "pdu_unreadable",
                   "a message whose length does not fit its PDU was kept as it is, then erased");
    reporter_.befell(ports::Incident::pdu_unreadable);
    tell(place_, selected_ == Memory::sr, reading_.octets(), now);
}

void InboxReader::read_again(int tries, SteadyTime now) {
    shelf_.put_back({place_, noted_at_});
    if (const auto pause = PlaceTrouble::pause_after(tries); pause.count() > 0) {
        blocked_until_[number(place_.memory)] = now + pause;
    }
}

/// A place that was refused or not answered may be empty all the same, or filled again: it is read rather
/// than erased once more.
void InboxReader::end_erase(at::FinalResult result, SteadyTime now) {
    auto* held = shelf_.held_at(place_);
    if (held == nullptr) {
        return;
    }
    if (result.kind == at::FinalKind::ok && place_.memory == Memory::sm) {
        set_storage(storage_used_ - 1, storage_total_);
    }
    if (result.kind == at::FinalKind::ok || is_gone(result) || held->again) {
        tell_erased(place_);  // `again`: it was filled again meanwhile
    } else if (const int tries = erase_trouble_.add(place_, {}).tries; tries < tries_max) {
        held->again = true;
        blocked_until_[number(place_.memory)] =
            now + PlaceTrouble::pause_after(PlaceTrouble::quick_max - 1 + tries);
    }  // else the next sweep finds it
    shelf_.release(*held);
}

}  // namespace smsrack::gsm
