#include "src/cluster/sim_sharer.hpp"

#include "src/cluster/sim_form.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::cluster {

void SimSharer::follow(ModemId line, InSlot sim, Told told) {
    const SteadyTime now = world_.clock.steady();
    sims_.insert_or_assign(line, Sim{.iccid = std::move(sim.iccid),
                                     .group = std::move(sim.group),
                                     .told = std::move(told),
                                     .since = sim.has_stayed ? now - world_.settings.lease : now});
    left_.erase(sims_.at(line).iccid);
    is_changed_ = true;
    wake();
}

void SimSharer::leave(ModemId line) {
    const auto found = sims_.find(line);
    if (found == sims_.end()) {
        return;
    }
    left_.insert(found->second.iccid);
    sims_.erase(found);
    is_changed_ = true;
    wake();
}

/// Those that have left, too: another box may have them, and should know of the last segments. After an entry, of all that
/// this box ever had.
void SimSharer::begin() {
    of_ = *seat_.seat();
    const SteadyTime now = world_.clock.steady();
    began_ = began_.value_or(now);
    if (!have_spoken_ && now - *began_ >= modems_speak_within) {
        have_spoken_ = true;
        is_changed_ = true;
    }
    const bool is_new = named_ != of_;
    if (is_new) {
        sent_.clear();
        is_changed_ = true;
        for (auto& [line, sim] : sims_) {
            sim.asks = Asks::now;
            sim.heard = 0;  // of another engine, or an older state of it
        }
    }
    for (const auto& [line, sim] : sims_) {
        sent_.add(sim.iccid);
    }
    auto seen = sent_.seen();
    if (seen.empty() && !is_changed_) {
        return end();
    }
    using Counts = std::vector<SimsSent::Counted>;
    world_.look(
        [seen = std::move(seen), is_new](ports::FleetReader& reader) mutable -> Result<Counts> {
            if (is_new) {
                auto used = reader.used_sims(used_sims_max);
                if (!used) {
                    return std::unexpected(std::move(used.error()));
                }
                for (const std::string& iccid : *used) {
                    seen.try_emplace(iccid, 0);
                }
            }
            Counts counted;
            for (const auto& [iccid, recipients] : seen) {
                auto count = reader.sim_count(iccid, false);
                if (count && count->usage.recipients.count != recipients) {
                    count = reader.sim_count(iccid, true);
                }
                if (!count) {
                    return std::unexpected(std::move(count.error()));
                }
                counted.push_back({.iccid = iccid, .count = *std::move(count)});
            }
            return counted;
        },
        [this](Result<Counts> counted) { counted ? name(*std::move(counted)) : end(); });
}

ports::SimPlace SimSharer::place_of(const std::string& iccid) const {
    if (sender(iccid) != nullptr) {
        return ports::SimPlace::here;
    }
    return have_spoken_ || left_.contains(iccid) ? ports::SimPlace::left : ports::SimPlace::perhaps;
}

/// Of the slots of this box that have it: the one that may send, or the first. Null: none has it.
const SimSharer::Sim* SimSharer::sender(const std::string& iccid) const {
    const Sim* first = nullptr;
    for (const auto& [line, sim] : sims_) {
        if (sim.iccid == iccid && sim.verdict == Verdict::may_send) {
            return &sim;
        }
        if (sim.iccid == iccid && first == nullptr) {
            first = &sim;
        }
    }
    return first;
}

ports::SharedSim SimSharer::shared(const SimsSent::Counted& counted, std::size_t most) const {
    ports::SharedSim shared{.iccid = counted.iccid, .place = place_of(counted.iccid)};
    const Sim* const sim = sender(counted.iccid);
    const SteadyTime sent_at = sent_.sent_at(counted.iccid);
    // One that stays is written now and then: the link of a box may be narrow.
    const bool is_due = sim == nullptr || sim->asks == Asks::now || sent_at == never ||
                        world_.clock.steady() - sent_at >= world_.settings.lease;
    if (is_due) {
        sent_.add_news(shared, counted, most);
    }
    if (sim != nullptr) {
        shared.group = sim->group;
        shared.asks = sim->verdict != Verdict::is_elsewhere &&
                      (sim->asks != Asks::with_its_news || !shared.form.empty());
        shared.after = sim->heard;
    }
    return shared;
}

/// Then those behind the one that asked last.
void SimSharer::put_first_who_wait(std::vector<SimsSent::Counted>& counted) const {
    const auto rest = std::ranges::stable_partition(counted, [this](const auto& one) {
        const Sim* const sim = sender(one.iccid);
        return sim != nullptr && sim->asks == Asks::now;
    });
    std::ranges::stable_partition(rest,
                                  [this](const auto& one) { return one.iccid > asked_last_; });
}

SimSharer::Round SimSharer::next_round(const std::vector<SimsSent::Counted>& counted) {
    Round round{.command = {.seat = of_}, .is_needed = is_changed_};
    std::size_t most = ports::engine_batch_max;
    std::size_t asking = 0;
    std::size_t left = 0;
    for (const SimsSent::Counted& one : counted) {
        sent_.add(one.iccid);
        auto sim = shared(one, most);
        const bool is_here = sim.place == ports::SimPlace::here;
        const auto says = [&sim] { return !sim.form.empty() || !sim.recipients.empty(); };
        if (!is_here && says() && left == left_sims_max) {
            round.has_more = true;
            sim.form.clear();
            sim.recipients.clear();
        } else if (sim.place == ports::SimPlace::left && !says() && most > 0) {
            sent_.remove(one.iccid);  // the engine has all
        }
        if (sim.place == ports::SimPlace::left && !says()) {
            continue;  // as it is not named, the engine knows that it has left
        }
        left += is_here || !says() ? 0 : 1;
        if (sim.asks && asking == asking_sims_max) {
            // Those that have heard nothing yet come in the next round, the others with the next beat.
            round.has_more = round.has_more || sender(sim.iccid)->asks == Asks::now;
            sim.asks = false;
            sim.form.clear();
        }
        asking += sim.asks ? 1 : 0;
        asked_last_ = sim.asks ? sim.iccid : asked_last_;
        most -= sim.recipients.size();
        round.is_needed = round.is_needed || says() || sim.asks;
        round.command.sims.push_back(std::move(sim));
        round.counted.push_back(one);
    }
    round.has_more = round.has_more || most == 0;
    return round;
}

void SimSharer::name(std::vector<SimsSent::Counted> counted) {
    put_first_who_wait(counted);
    Round round = next_round(counted);
    // One that is in another box, too, may leave that.
    const bool has_clone = std::ranges::any_of(
        sims_, [](const auto& sim) { return sim.second.verdict == Verdict::is_elsewhere; });
    if (!round.is_needed && !has_clone) {
        return end();
    }
    for (const BeatWatch::Silent& silent : seat_.watch().silent_for(world_.settings.lease)) {
        round.command.absent.push_back(silent.seat.box);
    }
    is_changed_ = false;
    auto command = round.command;
    world_.ask(world_.engine, std::move(command),
               [this, round = std::move(round)](const Result<ports::NameSims::Answer>& named) {
                   if (!named) {
                       is_changed_ = true;
                       return give_up(of_, named.error());
                   }
                   bool has_more = round.has_more;
                   for (std::size_t i = 0; i < named->size(); ++i) {
                       const ports::SharedSim& sim = round.command.sims.at(i);
                       sent_.note(sim, round.counted.at(i), world_.clock.steady());
                       // Another box may have it from now on.
                       if (sim.place == ports::SimPlace::left && left_.erase(sim.iccid) > 0) {
                           keep(sim.iccid, "");
                       }
                       judge(sim, (*named)[i]);
                       has_more =
                           has_more || (*named)[i].recipients.size() == ports::sim_recipients_max;
                   }
                   named_ = of_;
                   end(has_more || is_changed_);
               });
}

/// Of two slots of this box with the same SIM, one sends.
void SimSharer::judge(const ports::SharedSim& shared, const ports::NameSims::Named& named) {
    const Sim* const chosen = sender(shared.iccid);
    for (auto& [line, sim] : sims_) {
        if (sim.iccid != shared.iccid) {
            continue;
        }
        if (named.elsewhere != BoxNumber{} || &sim != chosen) {
            refuse(sim, named.elsewhere);
        } else if (sim.verdict == Verdict::is_elsewhere) {
            sim = Sim{.iccid = sim.iccid, .group = sim.group, .told = sim.told, .since = sim.since};
            is_changed_ = true;  // it is this box's now, and asks
        } else if (shared.asks && shared.after == sim.heard) {
            allow(sim, named);
        }
    }
}

void SimSharer::refuse(Sim& sim, BoxNumber elsewhere) {
    if (sim.verdict == Verdict::is_elsewhere) {
        return;
    }
    sim.verdict = Verdict::is_elsewhere;
    const auto& boxes = seat_.fleet().boxes;
    const BoxNumber number = elsewhere == BoxNumber{} ? of_.box : elsewhere;
    const auto row = std::ranges::find(boxes, number, &ports::BoxRow::box);
    std::string where = elsewhere == BoxNumber{} ? "another slot of " : "box ";
    where += row == boxes.end() ? std::to_string(number.value) : row->name;
    if (elsewhere != BoxNumber{}) {
        keep(sim.iccid, "");
    }
    sim.told({.elsewhere = std::move(where)});
}

void SimSharer::allow(Sim& sim, const ports::NameSims::Named& named) {
    bool is_dated = true;  // or will never be
    std::string parts;
    std::vector<ports::SimPart> others;
    for (const ports::NameSims::Part& one : named.parts) {
        const auto lead = seat_.ahead_of(one.box);
        const auto silence = seat_.watch().silence(one.box);
        is_dated = is_dated && (lead || !silence || *silence >= world_.settings.lease);
        // One that a later release has written in other words: what is not known can't be counted.
        if (auto part = part_of(one.form, lead, world_.clock.wall())) {
            others.push_back(*std::move(part));
        }
        parts += one.form + (lead ? "" : "?");
    }
    for (const ports::SimRecipient to : named.recipients) {
        sim.share.recipients[to.month].insert(to.recipient);
    }
    sim.heard = std::max(sim.heard, named.number);
    if (named.recipients.size() == ports::sim_recipients_max) {
        sim.asks = Asks::now;
        return;
    }
    sim.asks = is_dated ? Asks::with_its_news : Asks::with_each_beat;
    const bool is_same = sim.verdict == Verdict::may_send && sim.parts == parts;
    if (is_same && named.recipients.empty()) {
        return;
    }
    if (!is_same) {
        sim.share.others = std::move(others);
        sim.parts = std::move(parts);
    }
    while (sim.share.recipients.size() > 2) {
        sim.share.recipients.erase(sim.share.recipients.begin());
    }
    keep(sim.iccid, form_of(sim.share));
    tell(sim);
}

void SimSharer::tell(Sim& sim) {
    sim.verdict = Verdict::may_send;
    sim.told(sim.share);
}

void SimSharer::keep(const std::string& iccid, std::string form) {
    world_.ask(world_.store, ports::KeepSimShare{.iccid = iccid, .form = std::move(form)},
               [](const Result<>& /*kept*/) {});
}

SteadyTime SimSharer::step(SteadyTime now) {
    SteadyTime next = never;
    for (auto& [line, sim] : sims_) {
        if (sim.verdict != Verdict::none || sim.is_looked_up || &sim != sender(sim.iccid)) {
            continue;
        }
        const SteadyTime due = sim.since + world_.settings.lease;
        if (now < due) {
            next = std::min(next, due);
            continue;
        }
        sim.is_looked_up = true;
        look_up(line, sim.iccid);
    }
    return next;
}

void SimSharer::look_up(ModemId line, const std::string& iccid) {
    world_.look([iccid](ports::FleetReader& reader) { return reader.sim_share(iccid); },
                [this, line, iccid](const Result<std::string>& form) {
                    const auto found = sims_.find(line);
                    if (found == sims_.end() || found->second.iccid != iccid ||
                        found->second.verdict != Verdict::none) {
                        return;
                    }
                    Sim& sim = found->second;
                    if (!form) {
                        sim.is_looked_up = false;
                        sim.since = world_.clock.steady();
                        return;
                    }
                    if (auto share = share_of(*form)) {
                        sim.share = *std::move(share);
                        tell(sim);
                    } else if (world_.settings.quota_by_own_count) {
                        tell(sim);
                    }
                });
}

}  // namespace smsrack::cluster
