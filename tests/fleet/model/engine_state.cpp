#include "tests/fleet/model/engine_state.hpp"

#include <algorithm>
#include <tuple>

namespace smsrack::test {

using ports::BoxLife;
using ports::PutOutcome;
using ports::Seat;
using ports::SharedStage;

namespace {

constexpr std::int32_t box_numbers_max = 1'023;

bool is_unsent(MessageState state) {
    return state == MessageState::failed || state == MessageState::cancelled ||
           state == MessageState::expired;
}

bool is_gone(BoxLife life) {
    return life == BoxLife::dead || life == BoxLife::left;
}

/// Marks behind `after` that no open transaction can still come before.
bool is_readable(ports::ReadMark mark, ports::ReadMark after, Transaction by) {
    return mark > after && mark.transaction < by.oldest_open;
}

/// One that is ahead of the engine is of before it was restored.
ports::ReadMark known(ports::ReadMark after, Transaction by) {
    return after.transaction >= by.number ? ports::ReadMark{} : after;
}

}  // namespace

Result<> EngineState::may_write(Seat seat) const {
    const auto box = boxes_.find(seat.box);
    if (box == boxes_.end() || box->second.row.epoch != seat.epoch ||
        is_gone(box->second.row.life)) {
        return fail(Errc::conflict, "another epoch", ports::epoch_outdated);
    }
    return {};
}

Result<BoxNumber> EngineState::apply(const ports::RegisterBox& command, Transaction /*by*/) {
    for (const auto& [number, box] : boxes_) {
        if (box.row.name == command.who.name) {
            return box.key == command.who.key
                       ? Result<BoxNumber>(number)
                       : fail(Errc::conflict, "the name belongs to another key");
        }
    }
    const std::int32_t newest = boxes_.empty() ? 0 : boxes_.rbegin()->first.value;
    const bool is_new = command.number == BoxNumber{};
    const bool is_amid = is_doubted_ || !all_have_put_back();
    const BoxNumber number = is_new ? BoxNumber{newest + 1} : command.number;
    if (boxes_.contains(number)) {
        return fail(Errc::conflict, "the number belongs to another box");
    }
    if (is_new && is_amid) {
        return fail(Errc::conflict, "boxes put back what they have");
    }
    if (number.value > box_numbers_max) {
        return fail(Errc::queue_full, "all numbers of boxes are given out");
    }
    const bool is_in_place = boxes_.empty() && !is_new;
    is_doubted_ = is_doubted_ || is_in_place;
    const Owes owes = is_new ? Owes::nothing : is_amid || is_in_place ? Owes::all : Owes::all_later;
    boxes_[number] = {.row = {.box = number, .name = command.who.name, .site = command.site},
                      .key = command.who.key,
                      .owes = owes};
    return number;
}

Result<ports::Entry> EngineState::apply(const ports::EnterFleet& command, Transaction /*by*/) {
    for (auto& [number, box] : boxes_) {
        if (box.row.name != command.who.name) {
            continue;
        }
        if (box.key != command.who.key || box.row.life == BoxLife::left) {
            break;
        }
        if (box.row.life == BoxLife::dead) {
            box.row.life = BoxLife::running;
        }
        box.row.epoch.value = std::max(box.row.epoch.value, command.after.value) + 1;
        ++box.row.beats;
        box.owes = box.owes == Owes::all_and_dead ? Owes::all : box.owes;
        (void)release_held(number);
        return ports::Entry{.seat = {.box = number, .epoch = box.row.epoch},
                            .engine = engine_,
                            .beats = box.row.beats,
                            .wall = box.row.report.wall,
                            .is_doubted = is_doubted_,
                            .has_put_back = box.owes == Owes::nothing,
                            .all_have = all_have_put_back()};
    }
    return fail(Errc::not_allowed, "no such box, or another key, or it has left");
}

bool EngineState::all_have_put_back() const {
    return std::ranges::none_of(boxes_, [](const auto& box) {
        return box.second.owes == Owes::all || box.second.owes == Owes::all_and_dead;
    });
}

void EngineState::end_seats(BoxNumber but) {
    for (auto& [number, box] : boxes_) {
        if (number != but && !is_gone(box.row.life)) {
            ++box.row.epoch.value;
            (void)release_held(number);
        }
    }
}

/// What the engine has forgotten of a box that is dead: it may have begun all that waits. False: there is more.
bool EngineState::decide_of_dead(std::size_t limit) {
    const auto owes = [this](Owes what) {
        return std::ranges::find(boxes_, what, [](const auto& box) { return box.second.owes; });
    };
    const auto dead = owes(Owes::all_and_dead);
    if (dead == boxes_.end() || owes(Owes::all) != boxes_.end() || is_doubted_) {
        return dead == boxes_.end();
    }
    for (auto& [id, row] : messages_) {
        if (row.stage != SharedStage::waiting) {
            continue;
        }
        if (limit-- == 0) {
            return false;
        }
        row.stage = SharedStage::firm;
        row.seat = {.box = dead->first};
    }
    for (auto& [number, box] : boxes_) {
        box.owes = box.owes == Owes::all_and_dead ? Owes::all_later : box.owes;
    }
    return true;
}

Result<> EngineState::apply(const ports::Doubt& command, Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return may;
    }
    if (!std::exchange(is_doubted_, true)) {
        end_seats(command.seat.box);
    }
    return {};
}

Result<> EngineState::apply(const ports::Rebuild& command, Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return may;
    }
    is_doubted_ = false;
    engine_.life = std::to_string(by.at.time_since_epoch().count());
    for (auto& [number, box] : boxes_) {
        if (!is_gone(box.row.life)) {
            box.owes = Owes::all;
        } else if (box.owes != Owes::all_and_dead) {
            box.owes = Owes::all_later;
        }
    }
    for (auto& [id, row] : messages_) {
        if (row.stage == SharedStage::firm) {
            row.seat.epoch = {};  // until its box has put it back
        }
    }
    end_seats({});
    return {};
}

Result<bool> EngineState::apply(const ports::NotePutBack& command, Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    if (std::exchange(boxes_[command.seat.box].owes, Owes::nothing) != Owes::nothing) {
        for (auto& [id, row] : messages_) {
            if (row.stage == SharedStage::firm && row.seat == Seat{.box = command.seat.box}) {
                row.stage = SharedStage::waiting;
                row.seat = {};
            }
        }
    }
    return decide_of_dead(command.limit);
}

Result<> EngineState::apply(const ports::PutPairs& command, Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return may;
    }
    for (const ports::ClaimedPair& one : command.pairs) {
        pairs_.emplace(one.pair, one.message);
    }
    return {};
}

std::size_t EngineState::release_held(BoxNumber box) {
    std::size_t released = 0;
    for (auto& [id, row] : messages_) {
        if (row.stage == SharedStage::held && row.seat.box == box) {
            row.stage = SharedStage::waiting;
            row.seat = {};
            ++released;
        }
    }
    return released;
}

Result<ports::Fleet> EngineState::apply(const ports::Beat& command, Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    ports::BoxRow& own = boxes_[command.seat.box].row;
    ++own.beats;
    const WallTime said = own.report.wall;
    own.report = command.report;
    own.report.wall = command.report.wall == WallTime{} ? said : command.report.wall;
    const auto is_news = [by](ports::ReadMark mark, ports::ReadMark read) {
        return mark > known(read, by);
    };
    ports::Fleet fleet{
        .two_disks = true,
        .has_rules = std::ranges::any_of(
            rules_, [&](const auto& rule) { return is_news(rule.second.mark, command.rules); }),
        .has_mail = std::ranges::any_of(mail_, [&](const Letter& letter) {
            return letter.to == command.seat.box && is_news(letter.mark, command.mail);
        })};
    for (const auto& [number, box] : boxes_) {
        fleet.boxes.push_back(box.row);
        fleet.boxes.back().has_put_back = box.owes == Owes::nothing;
        fleet.boxes.back().is_waited_for = box.owes == Owes::all || box.owes == Owes::all_and_dead;
    }
    for (const auto& [id, row] : messages_) {
        const auto box = std::ranges::find(fleet.boxes, row.seat.box, &ports::BoxRow::box);
        fleet.waiting += row.stage == SharedStage::waiting ? 1 : 0;
        if (box != fleet.boxes.end()) {
            box->held += row.stage == SharedStage::held ? 1 : 0;
            box->firm += row.stage == SharedStage::firm ? 1 : 0;
        }
    }
    return fleet;
}

bool EngineState::holds(ports::RuleKind kind, const std::string& subject) const {
    const auto rule = rules_.find({kind, subject});
    return rule != rules_.end() && rule->second.rule.holds;
}

/// The outcome of a message that is not known; kept: nothing is in its way.
ports::PutAnswer EngineState::checked(const ports::PutMessage& put) const {
    const ports::SharedChecks& checks = put.checks;
    if (const auto ref = refs_.find(checks.ref); !checks.ref.empty() && ref != refs_.end()) {
        const bool same = messages_.at(ref->second).checks.fingerprint == checks.fingerprint;
        return {same ? PutOutcome::repeated : PutOutcome::ref_conflict, ref->second};
    }
    if (!put.message.batch.empty() && holds(ports::RuleKind::batch, put.message.batch)) {
        return {PutOutcome::batch_cancelled};
    }
    if (checks.heeds_opt_out && holds(ports::RuleKind::opt_out, checks.recipient)) {
        return {PutOutcome::opted_out};
    }
    if (const auto pair = pairs_.find(checks.pair);
        !checks.pair.empty() && pair != pairs_.end() && pair->second != put.message.id) {
        return {PutOutcome::seen, pair->second};
    }
    std::uint32_t to_recipient = 0;
    std::int64_t of_client = 0;
    for (const auto& [id, row] : messages_) {
        if (checks.text_hash != 0 && checks.duplicate_window.count() > 0 &&
            row.checks.text_hash == checks.text_hash) {
            return {PutOutcome::duplicate, id};
        }
        const bool counts = row.stage != SharedStage::ended || !is_unsent(row.state);
        to_recipient += counts && row.checks.recipient == checks.recipient ? 1 : 0;
        of_client += row.stage != SharedStage::ended && row.checks.client == checks.client ? 1 : 0;
    }
    if ((checks.limits.per_hour && to_recipient >= *checks.limits.per_hour) ||
        (checks.limits.per_day && to_recipient >= *checks.limits.per_day)) {
        return {PutOutcome::recipient_limit};
    }
    if (!checks.client.empty() && checks.client_waiting_max &&
        of_client >= *checks.client_waiting_max) {
        return {PutOutcome::client_limit};
    }
    return {PutOutcome::kept, put.message.id};
}

ports::PutAnswer EngineState::put(Seat seat, const ports::PutMessage& put, Transaction by) {
    const MessageId id = put.message.id;
    if (const auto known = messages_.find(id); known != messages_.end()) {
        Row& row = known->second;
        const bool is_firm =
            row.stage == SharedStage::ended ||
            (row.stage == SharedStage::firm && row.seat.epoch != ports::Epoch{} && !put.is_begun);
        if (put.stage == SharedStage::firm && !is_firm) {
            row.stage = SharedStage::firm;
            row.seat = seat;
        }
        if (row.checks.ref.empty() && !put.checks.ref.empty() &&
            refs_.emplace(put.checks.ref, id).second) {
            row.checks.ref = put.checks.ref;
            row.checks.fingerprint = put.checks.fingerprint;
        }
        return {PutOutcome::kept, id};
    }
    const auto answer = checked(put);
    if (answer.outcome != PutOutcome::kept) {
        refused_.insert(id);
        return answer;
    }
    messages_[id] = {.message = put.message,
                     .checks = put.checks,
                     .stage = put.stage,
                     .seat = put.stage == SharedStage::waiting ? Seat{} : seat,
                     .put_at = by.at,
                     .place = ++number_};
    const auto known = known_sims_.find(put.checks.recipient);
    if (put.message.is_sticky && known != known_sims_.end()) {
        messages_[id].message.sticky_iccid = known->second.iccid;
    }
    if (!put.checks.ref.empty()) {
        refs_[put.checks.ref] = id;
    }
    if (!put.checks.pair.empty()) {
        pairs_[put.checks.pair] = id;
    }
    return answer;
}

Result<ports::PutAnswers> EngineState::apply(const ports::PutMessages& command, Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    ports::PutAnswers answers{.two_disks = true};
    for (const ports::PutMessage& message : command.messages) {
        answers.messages.push_back(put(command.seat, message, by));
    }
    return answers;
}

/// What another box has, as far as is known, stays its own.
bool EngineState::may_have(const ports::NameSims& command, const Sim& sim) const {
    if (sim.box == BoxNumber{} || sim.box == command.seat.box || !sim.is_present ||
        std::ranges::find(command.absent, sim.box) != command.absent.end()) {
        return true;
    }
    return is_gone(boxes_.at(sim.box).row.life);
}

ports::NameSims::Named EngineState::named(const ports::NameSims& command,
                                          const ports::SharedSim& shared) {
    Sim& sim = sims_[shared.iccid];
    if (shared.place == ports::SimPlace::here && may_have(command, sim)) {
        sim.box = command.seat.box;
        sim.is_present = true;
        sim.group = shared.group;
    }
    if (!shared.form.empty()) {
        sim.counts[command.seat.box] = shared.form;
    }
    for (const ports::SimRecipient to : shared.recipients) {
        if (std::ranges::find(sim.recipients, to, [](const auto& one) { return one.first; }) ==
            sim.recipients.end()) {
            sim.recipients.emplace_back(to, command.seat.box);
        }
    }
    const bool is_elsewhere = shared.place == ports::SimPlace::here && sim.box != command.seat.box;
    ports::NameSims::Named named{.elsewhere = is_elsewhere ? sim.box : BoxNumber{}};
    if (!shared.asks) {
        return named;
    }
    for (const auto& [box, form] : sim.counts) {
        if (box != command.seat.box) {
            named.parts.push_back({.box = box, .form = form});
        }
    }
    for (auto place = static_cast<std::size_t>(shared.after);
         place < sim.recipients.size() && named.recipients.size() < ports::sim_recipients_max;
         ++place) {
        if (sim.recipients[place].second != command.seat.box) {
            named.recipients.push_back(sim.recipients[place].first);
            named.number = static_cast<std::int64_t>(place) + 1;
        }
    }
    return named;
}

Result<ports::NameSims::Answer> EngineState::apply(const ports::NameSims& command,
                                                   Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    ports::NameSims::Answer answer;
    for (const ports::SharedSim& shared : command.sims) {
        answer.push_back(named(command, shared));
    }
    for (auto& [iccid, sim] : sims_) {
        if (sim.box == command.seat.box) {
            sim.is_present = std::ranges::any_of(
                command.sims, [&, &sim = sim, &iccid = iccid](const ports::SharedSim& named) {
                    return named.iccid == iccid &&
                           (named.place == ports::SimPlace::here ||
                            (named.place == ports::SimPlace::perhaps && sim.is_present));
                });
        }
    }
    return answer;
}

bool EngineState::may_take(const ports::TakeMessages& command, const Row& row,
                           Transaction by) const {
    if (row.stage != SharedStage::waiting) {
        return false;
    }
    const auto sim = sims_.find(row.message.sticky_iccid);
    return row.message.sticky_iccid.empty() || sim == sims_.end() ||
           sim->second.box == command.seat.box ||
           boxes_.at(sim->second.box).row.life != BoxLife::running || !sim->second.is_present ||
           sim->second.group != row.message.group || by.at - row.put_at > command.sticky_wait ||
           std::ranges::find(command.absent, sim->second.box) != command.absent.end();
}

Result<std::vector<ports::SharedMessage>> EngineState::apply(const ports::TakeMessages& command,
                                                             Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    std::vector<ports::SharedMessage> taken;
    for (const ports::TakeWish& wish : command.wishes) {
        std::vector<Row*> rows;
        for (auto& [id, row] : messages_) {
            if (may_take(command, row, by) && row.message.group == wish.group &&
                row.message.level >= wish.lowest) {
                rows.push_back(&row);
            }
        }
        std::ranges::sort(rows, [](const Row* a, const Row* b) {
            return std::tuple(-a->message.level, a->place) <
                   std::tuple(-b->message.level, b->place);
        });
        rows.resize(std::min(rows.size(), wish.limit));
        for (Row* row : rows) {
            row->stage = SharedStage::held;
            row->seat = command.seat;
            taken.push_back(row->message);
        }
    }
    return taken;
}

Result<std::vector<MessageId>> EngineState::apply(const ports::FirmMessages& command,
                                                  Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    std::vector<MessageId> firm;
    for (const MessageId id : command.messages) {
        const auto row = messages_.find(id);
        if (row == messages_.end()) {
            continue;
        }
        if (row->second.stage == SharedStage::held && row->second.seat == command.seat) {
            row->second.stage = SharedStage::firm;
        }
        if (row->second.stage == SharedStage::firm && row->second.seat.box == command.seat.box) {
            firm.push_back(id);
        }
    }
    return firm;
}

Result<std::vector<MessageId>> EngineState::apply(const ports::GiveBack& command,
                                                  Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    std::vector<MessageId> given;
    for (const MessageId id : command.messages) {
        const auto row = messages_.find(id);
        const bool is_own = row != messages_.end() && row->second.seat.box == command.seat.box;
        if (is_own && row->second.stage == SharedStage::ended) {
            continue;  // it was ended by this box: nothing is left to give back
        }
        if (is_own) {
            row->second.stage = SharedStage::waiting;
            row->second.seat = {};
        }
        given.push_back(id);
    }
    return given;
}

Result<std::vector<MessageId>> EngineState::apply(const ports::SettleMessages& command,
                                                  Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    std::vector<MessageId> settled;
    for (const ports::Settlement& end : command.messages) {
        const auto found = messages_.find(end.message);
        if (found == messages_.end()) {
            continue;
        }
        Row& row = found->second;
        const bool is_own = row.seat.box == command.seat.box;
        if (end.unbegun && row.stage == SharedStage::ended && row.state != end.state) {
            continue;
        }
        const bool may_end = row.stage == SharedStage::ended || is_own ||
                             row.stage == SharedStage::waiting ||
                             (row.stage == SharedStage::held && !end.unbegun);
        if (!may_end) {
            continue;
        }
        if (row.stage != SharedStage::ended) {
            row.ended_at = by.at;
            row.ended_of = command.seat.box;
        }
        row.stage = SharedStage::ended;
        row.state = end.state;
        if (end.frees_pair && !row.checks.pair.empty()) {
            const auto pair = pairs_.find(row.checks.pair);
            if (pair != pairs_.end() && pair->second == end.message) {
                pairs_.erase(pair);
            }
        }
        if (!end.sticky_iccid.empty()) {
            known_sims_[row.checks.recipient] = {.iccid = end.sticky_iccid, .at = by.at};
        }
        settled.push_back(end.message);
    }
    return settled;
}

Result<EngineState::Box*> EngineState::silent(Seat from, std::int64_t beats) {
    const auto box = boxes_.find(from.box);
    if (box == boxes_.end() || box->second.row.epoch != from.epoch ||
        box->second.row.beats != beats) {
        return fail(Errc::conflict, "it beat again, or has another epoch");
    }
    return &box->second;
}

Result<std::size_t> EngineState::apply(const ports::TakeOver& command, Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    const auto box = silent(command.from, command.beats);
    if (!box) {
        return std::unexpected(box.error());
    }
    ++(*box)->row.epoch.value;
    return release_held(command.from.box);
}

Result<std::vector<MessageId>> EngineState::apply(const ports::TakeFirm& command, Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    if (const auto box = silent(command.from, command.beats); !box) {
        return std::unexpected(box.error());
    }
    std::vector<MessageId> taken;
    for (auto& [id, row] : messages_) {
        if (row.stage != SharedStage::firm || row.seat.box != command.from.box ||
            taken.size() == command.limit) {
            continue;
        }
        row.stage = command.resend ? SharedStage::waiting : SharedStage::ended;
        row.state = command.resend ? MessageState::queued : MessageState::failed;
        row.ended_at = by.at;
        row.ended_of = row.seat.box;
        row.seat = {};
        row.is_decided = true;
        taken.push_back(id);
    }
    return taken;
}

Result<ports::FleetLoad> EngineState::apply(const ports::ShareLoad& command, Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    loads_[command.seat.box] = command.form;
    ports::FleetLoad load{.decision = decision_};
    for (const auto& [box, form] : loads_) {
        if (boxes_.at(box).row.life != BoxLife::left) {
            load.boxes.push_back({.box = box, .form = form});
        }
    }
    return load;
}

Result<std::int64_t> EngineState::apply(const ports::DecideLife& command, Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    const auto box = boxes_.find(command.box);
    if (decision_.number != command.after || box == boxes_.end() ||
        box->second.row.life != command.from) {
        return fail(Errc::conflict, "another decision was first, or the box has another life");
    }
    box->second.row.life = command.to;
    decision_ = {.number = command.after + 1,
                 .by = command.seat.box,
                 .box = command.box,
                 .life = command.to,
                 .form = command.form};
    return decision_.number;
}

Result<> EngineState::apply(const ports::SetLife& command, Transaction /*by*/) {
    if (auto may = may_write(command.seat); !may) {
        return may;
    }
    for (auto& [number, box] : boxes_) {
        if (box.row.name != command.name) {
            continue;
        }
        const bool has_some = std::ranges::any_of(messages_, [&, n = number](const auto& entry) {
            return entry.second.stage != SharedStage::ended && entry.second.seat.box == n;
        });
        if (command.life == BoxLife::left && has_some) {
            return fail(Errc::conflict, "it has messages");
        }
        if (command.life == BoxLife::left && (is_doubted_ || box.owes != Owes::nothing)) {
            return fail(Errc::conflict, "it has something to put back, perhaps");
        }
        if (decision_.box == number) {
            ++decision_.number;
            decision_.box = {};
            decision_.life = {};
        }
        box.row.life = command.life;
        if (is_gone(command.life)) {
            ++box.row.epoch.value;
            (void)release_held(number);
        }
        if (command.life == BoxLife::dead) {
            if (is_doubted_ || box.owes == Owes::all) {
                box.owes = Owes::all_and_dead;
            }
        }
        return {};
    }
    return fail(Errc::not_found, "no box has this name");
}

Result<std::vector<ports::Whereabouts>> EngineState::apply(const ports::FindMessages& command,
                                                           Transaction /*by*/) const {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    std::vector<ports::Whereabouts> found;
    for (const MessageId id : command.messages) {
        if (const auto row = messages_.find(id); row != messages_.end()) {
            const bool has_ended = row->second.stage == SharedStage::ended;
            found.push_back(
                {.message = id,
                 .stage = row->second.stage,
                 .seat = has_ended ? Seat{.box = row->second.ended_of} : row->second.seat,
                 .state = row->second.state,
                 .is_decided = has_ended && row->second.is_decided && row->second.seat == Seat{}});
        }
    }
    return found;
}

Result<std::size_t> EngineState::apply(const ports::ForgetEnded& command, Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    std::size_t forgotten = 0;
    for (auto row = messages_.begin(); row != messages_.end() && forgotten < command.limit;) {
        const bool goes = row->second.stage == SharedStage::ended &&
                          by.at - row->second.ended_at >= command.older_than;
        if (!goes) {
            ++row;
            continue;
        }
        std::erase_if(refs_, [&](const auto& ref) { return ref.second == row->first; });
        row = messages_.erase(row);
        ++forgotten;
    }
    std::erase_if(known_sims_,
                  [&](const auto& known) { return by.at - known.second.at >= command.older_than; });
    std::erase_if(mail_,
                  [&](const Letter& letter) { return by.at - letter.at >= command.older_than; });
    return forgotten;
}

Result<ports::RulesKept> EngineState::apply(const ports::KeepRules& command, Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    std::int64_t& newest = rule_marks_[command.seat.box];
    const std::int64_t before = newest;
    for (const ports::SharedRule& rule : command.rules) {
        if (rule.number > before) {
            rules_[{rule.kind, rule.subject}] = {.rule = rule, .mark = next_mark(by)};
            newest = std::max(newest, rule.number);
        }
    }
    return ports::RulesKept{.two_disks = true};
}

Result<ports::RulesRead> EngineState::apply(const ports::ReadRules& command, Transaction by) const {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    const ports::ReadMark after = known(command.after, by);
    std::map<ports::ReadMark, const ports::SharedRule*> behind;
    for (const auto& [subject, rule] : rules_) {
        if (is_readable(rule.mark, after, by)) {
            behind[rule.mark] = &rule.rule;
        }
    }
    ports::RulesRead read{.mark = after};
    for (const auto& [mark, rule] : behind) {
        if (read.rules.size() == command.limit) {
            break;
        }
        read.rules.push_back(*rule);
        read.mark = mark;
    }
    return read;
}

Result<> EngineState::apply(const ports::SendMail& command, Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return may;
    }
    mails_ += command.mail.size();
    for (const ports::Mail& mail : command.mail) {
        mail_.push_back({.to = mail.to, .form = mail.form, .mark = next_mark(by), .at = by.at});
    }
    return {};
}

Result<ports::MailRead> EngineState::apply(const ports::ReadMail& command, Transaction by) {
    if (auto may = may_write(command.seat); !may) {
        return std::unexpected(may.error());
    }
    const ports::ReadMark after = known(command.after, by);
    std::erase_if(mail_, [&](const Letter& letter) {
        return letter.to == command.seat.box && letter.mark <= after;
    });
    std::ranges::sort(mail_, {}, &Letter::mark);
    ports::MailRead read{.mark = after};
    constexpr std::size_t octets_max = 12'288;
    std::size_t octets = 0;
    for (const Letter& letter : mail_) {
        if (letter.to != command.seat.box || !is_readable(letter.mark, after, by)) {
            continue;
        }
        if (read.mail.size() == command.limit ||
            (!read.mail.empty() && octets + letter.form.size() > octets_max)) {
            break;
        }
        octets += letter.form.size();
        read.mail.push_back(letter.form);
        read.mark = letter.mark;
    }
    return read;
}

Result<std::vector<ports::EngineFact>> EngineState::apply(const ports::CheckEngine& /*command*/,
                                                          Transaction /*by*/) {
    return std::vector<ports::EngineFact>{{.name = "model", .value = "two disks"}};
}

}  // namespace smsrack::test
