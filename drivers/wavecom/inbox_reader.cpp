#include "drivers/wavecom/inbox_reader.hpp"

#include "drivers/at/pdu_line.hpp"
#include "drivers/wavecom/fields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::wavecom {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, memory_count> memory_names{"SM", "SR", "ME"};
constexpr std::array all_memories{Memory::sm, Memory::sr, Memory::me};

/// 3GPP TS 27.005 3.2.5: invalid memory index; there is nothing (any more).
constexpr int cms_invalid_index = 321;

/// <stat> of what was received; 2 and 3 are what somebody stored to send.
constexpr int stat_received_last = 1;

constexpr auto list_limit = 60s;  // 255 PDUs at 9600 baud take 90 s; a full SIM of 50 takes 20
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
    cut_off();
    shelf_.forget_unread();
    shelf_.drop_direct();
    read_tries_ = {};
    look_tries_ = {};
    selected_ = Memory::sm;
    stayed_ = 0;
    service_due_ = notify_due_ = false;
    refuse_due_ = can_refuse_ && facts_.confirms && !facts_.reports_stored;
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
        shelf_.note(place);
    }
    selected_ = carried.selected;
    sweep_at_ = carried.sweep_at;
    storage_used_ = carried.storage_used;
    storage_total_ = carried.storage_total;
    service_due_ = notify_due_ = carried.set_anew;
    refuse_due_ = carried.set_anew && facts_.confirms;
    ask_notify_at_ = facts_.confirms ? SteadyTime{} : never;
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
void InboxReader::cut_off() {
    if (job_ == Job::read) {
        shelf_.put_back(place_);
    } else if (auto* held = shelf_.held_at(place_); job_ == Job::erase && held != nullptr) {
        shelf_.release(*held);
    } else if (job_ == Job::list) {
        sweep_at_[number(selected_)] = {};
    }
    job_ = Job::none;
}

void InboxReader::on_stored(std::string_view urc) {
    const auto memory = memory_of(field(urc, 0));
    const auto index = number_field(urc, 1);
    if (memory && index && *index >= 0 && static_cast<std::size_t>(*index) < places_max) {
        shelf_.note({*memory, static_cast<std::uint16_t>(*index)});
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
                           .held_at = held ? std::optional(held_place(place)) : std::nullopt});
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
    tell_waiting(now);
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
        place_ = shelf_.take_unread(memory);
        pdu_hex_.clear();
        text_ = fmt::format("AT+CMGR={}", place_.index);
        return start(
            Job::read,
            {.text = text_, .prefix = "+CMGR:", .timeout = store_limit, .takes = at::Takes::pdu},
            now);
    }
    if (now >= sweep_at_[number(memory)]) {
        sweep_at_[number(memory)] = now + settings_.sweep;
        listed_ = 0;
        list_owes_ = false;
        list_whole_ = true;
        return start(Job::list,
                     {.text = "AT+CMGL=4",
                      .prefix = "+CMGL:",
                      .timeout = list_limit,
                      .takes = at::Takes::pdu},
                     now);
    }
    return false;
}

SteadyTime InboxReader::next_turn() const {
    SteadyTime next = ask_notify_at_;
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
    if (job_ == Job::read && kind == at::LineKind::data) {
        pdu_hex_ = line;
    } else if (job_ == Job::select && place_.memory == Memory::sm) {
        set_storage(number_field(line, 0).value_or(storage_used_),
                    number_field(line, 1).value_or(storage_total_));
    } else if (job_ == Job::list && kind == at::LineKind::intermediate) {
        take_header(line);
    } else if (job_ == Job::list) {
        take_listed(line, now);
    } else if (job_ == Job::ask_notify) {
        on_notify(line, now);
    }
}

void InboxReader::take_header(std::string_view line) {
    read_owed();
    ++listed_;
    const auto index = number_field(line, 0);
    list_whole_ = list_whole_ && index;
    const bool received = number_field(line, 1).value_or(stat_received_last) <= stat_received_last;
    list_owes_ = index && *index >= 0 && static_cast<std::size_t>(*index) < places_max && received;
    place_ = {selected_,
              list_owes_ ? static_cast<std::uint16_t>(*index) : std::uint16_t{places_max}};
}

/// As many as there is room for are taken from the list itself; the rest is read one by one.
void InboxReader::take_listed(std::string_view hex, SteadyTime now) {
    auto pdu = at::octets_of(hex);
    if (list_owes_ && pdu && may_read() && !shelf_.knows(place_)) {
        tell(place_, selected_ == Memory::sr, std::move(*pdu), now);
        list_owes_ = false;
    }
    read_owed();
}

/// What could not be taken from the list: no room, or its PDU came garbled or not at all.
void InboxReader::read_owed() {
    if (std::exchange(list_owes_, false) && !shelf_.knows(place_)) {
        shelf_.note(place_);
    }
}

std::optional<Trigger> InboxReader::on_final(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::timed_out) {
        can_refuse_ = can_refuse_ && job_ != Job::refuse;
        cut_off();
        return Trigger::no_answer;
    }
    switch (std::exchange(job_, Job::none)) {
        case Job::select:
            end_select(result, now);
            break;
        case Job::read:
            end_read(result, now);
            break;
        case Job::erase:
            end_erase(result, now);
            break;
        case Job::confirm:
            end_confirm(result, now);
            break;
        case Job::list:
            end_list(result, now);
            break;
        case Job::none:
        case Job::set_service:
        case Job::set_notify:
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
    read_owed();
    const bool is_whole = result.kind == at::FinalKind::ok && list_whole_;
    if (is_whole) {
        look_tries_[number(selected_)] = 0;
    } else if (const auto again = look_again_at(selected_, now)) {
        sweep_at_[number(selected_)] = *again;
    }
    if (is_whole && selected_ == Memory::sm) {
        set_storage(listed_, storage_total_);
    }
}

void InboxReader::end_read(at::FinalResult result, SteadyTime now) {
    auto pdu = at::octets_of(pdu_hex_);
    auto& tries = read_tries_.at(place_.index);
    if (result.kind == at::FinalKind::ok && pdu) {
        tries = 0;
        tell(place_, selected_ == Memory::sr, std::move(*pdu), now);
    } else if (!is_gone(result) && ++tries < tries_max) {
        shelf_.put_back(place_);
        blocked_until_[number(place_.memory)] = now + retry_pause;
    } else {
        tries = 0;
        shelf_.forget(place_);  // the next sweep sees whether it is still there
    }
}

void InboxReader::end_erase(at::FinalResult result, SteadyTime now) {
    auto* held = shelf_.held_at(place_);
    if (held == nullptr) {
        return;
    }
    if (result.kind == at::FinalKind::ok && place_.memory == Memory::sm) {
        set_storage(storage_used_ - 1, storage_total_);
    }
    if (result.kind == at::FinalKind::ok || is_gone(result)) {
        reporter_.tell(ports::PduErased{held_place(place_)});
    }
    if (result.kind == at::FinalKind::ok || is_gone(result) || held->again ||
        ++held->tries == tries_max) {
        shelf_.release(*held);
    } else {
        blocked_until_[number(place_.memory)] = now + retry_pause;
    }
}

}  // namespace smsrack::wavecom
