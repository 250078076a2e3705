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

bool SimSharer::is_here(const std::string& iccid) const {
    return std::ranges::any_of(sims_, [&](const auto& one) { return one.second.iccid == iccid; });
}

/// Those that have left, too: another box may have them, and should know of the last segments. After an entry, of all that
/// this box ever had.
void SimSharer::begin() {
    of_ = *seat_.seat();
    began_ = began_.value_or(world_.clock.steady());
    if (!have_spoken_ && world_.clock.steady() - *began_ >= modems_speak_within) {
        have_spoken_ = true;
        is_changed_ = true;
    }
    const bool is_new = named_ != of_;
    if (is_new) {
        sent_.clear();
        is_changed_ = true;
        for (auto& [line, sim] : sims_) {
            sim.asks = true;
            sim.heard = 0;  // of another engine, or an older state of it
        }
    }
    for (const auto& [line, sim] : sims_) {
        sent_.try_emplace(sim.iccid);
    }
    std::map<std::string, std::uint32_t> recipients_seen;
    for (const auto& [iccid, sent] : sent_) {
        recipients_seen[iccid] = sent.recipients_seen;
    }
    if (recipients_seen.empty() && !is_changed_) {
        return end();
    }
    world_.look(
        [recipients_seen = std::move(recipients_seen),
         is_new](ports::FleetReader& reader) mutable -> Result<std::vector<Counted>> {
            if (is_new) {
                auto used = reader.used_sims(used_sims_max);
                if (!used) {
                    return std::unexpected(std::move(used.error()));
                }
                for (const std::string& iccid : *used) {
                    recipients_seen.try_emplace(iccid, 0);
                }
            }
            std::vector<Counted> counted;
            for (const auto& [iccid, seen] : recipients_seen) {
                auto count = reader.sim_count(iccid, false);
                if (count && count->usage.recipients.count != seen) {
                    count = reader.sim_count(iccid, true);
                }
                if (!count) {
                    return std::unexpected(std::move(count.error()));
                }
                counted.push_back({.iccid = iccid, .count = *std::move(count)});
            }
            return counted;
        },
        [this](Result<std::vector<Counted>> counted) {
            counted ? name(*std::move(counted)) : end();
        });
}

/// With `most` recipients at most; the others follow.
ports::SharedSim SimSharer::shared(const Counted& counted, std::size_t most) const {
    const auto found = sent_.find(counted.iccid);
    const Sent& sent = found == sent_.end() ? Sent{} : found->second;
    ports::SharedSim shared{.iccid = counted.iccid, .is_here = is_here(counted.iccid)};
    shared.may_be_here = !shared.is_here && !have_spoken_ && !left_.contains(counted.iccid);
    const Sim* const sim = sender(counted.iccid);
    // One that stays is written now and then: the link of a box may be narrow.
    const bool is_due = sim == nullptr || sim->asks || sent.at == never ||
                        world_.clock.steady() - sent.at >= world_.settings.lease;
    if (std::string form = form_of(counted.count.usage); is_due && form != sent.form) {
        shared.form = std::move(form);
    }
    for (const std::uint64_t hash : counted.count.recipients) {
        const ports::SimRecipient to{.month = counted.count.usage.month.period, .recipient = hash};
        if (shared.recipients.size() < most && !sent.recipients.contains(to)) {
            shared.recipients.push_back(to);
        }
    }
    if (sim != nullptr) {
        shared.group = sim->group;
        // A box that was away may have sent its own count since.
        shared.asks = sim->verdict != Verdict::is_elsewhere &&
                      (sim->asks || sim->is_undated || !shared.form.empty());
        shared.after = sim->heard;
    }
    return shared;
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

/// Then those behind the one that asked last.
void SimSharer::put_first_who_wait(std::vector<Counted>& counted) const {
    const auto rest = std::ranges::stable_partition(counted, [this](const Counted& one) {
        const Sim* const sim = sender(one.iccid);
        return sim != nullptr && sim->asks;
    });
    std::ranges::stable_partition(rest,
                                  [this](const Counted& one) { return one.iccid > asked_last_; });
}

void SimSharer::name(std::vector<Counted> counted) {
    put_first_who_wait(counted);
    ports::NameSims command{.seat = of_};
    std::vector<Counted> of_command;
    bool is_needed = is_changed_;
    bool has_more = false;
    std::size_t most = ports::engine_batch_max;
    std::size_t asking = 0;
    std::size_t left = 0;
    for (const Counted& one : counted) {
        sent_.try_emplace(one.iccid);
        auto sim = shared(one, most);
        const bool says = !sim.form.empty() || !sim.recipients.empty();
        if (!sim.is_here && (!says || left == left_sims_max)) {
            has_more = has_more || says || most == 0;
            if (!says && most > 0) {
                sent_.erase(one.iccid);
            }
            continue;
        }
        left += sim.is_here ? 0 : 1;
        if (sim.asks && asking == asking_sims_max) {
            // Those that have heard nothing yet come in the next round, the others with the next beat.
            const Sim* const waits = sender(sim.iccid);
            has_more = has_more || (waits != nullptr && waits->asks);
            sim.asks = false;
            sim.form.clear();
        }
        asking += sim.asks ? 1 : 0;
        asked_last_ = sim.asks ? sim.iccid : asked_last_;
        most -= sim.recipients.size();
        is_needed = is_needed || says || sim.asks;
        command.sims.push_back(std::move(sim));
        of_command.push_back(one);
    }
    // One that is in another box, too, may leave that.
    is_needed = is_needed || std::ranges::any_of(sims_, [](const auto& sim) {
                    return sim.second.verdict == Verdict::is_elsewhere;
                });
    if (!is_needed) {
        return end();
    }
    for (const BeatWatch::Silent& silent : seat_.watch().silent_for(world_.settings.lease)) {
        command.absent.push_back(silent.seat.box);
    }
    is_changed_ = false;
    has_more = has_more || most == 0;
    world_.ask(world_.engine, command,
               [this, sims = command.sims, of_command = std::move(of_command),
                has_more](const Result<ports::NameSims::Answer>& named) {
                   if (!named) {
                       is_changed_ = true;
                       return give_up(of_, named.error());
                   }
                   bool is_full = false;
                   for (std::size_t i = 0; i < sims.size() && i < named->size(); ++i) {
                       note(sims[i], of_command[i]);
                       judge(sims[i], (*named)[i]);
                       is_full =
                           is_full || (*named)[i].recipients.size() == ports::sim_recipients_max;
                   }
                   named_ = of_;
                   end(has_more || is_full || is_changed_);
               });
}

/// What the engine has now.
void SimSharer::note(const ports::SharedSim& shared, const Counted& counted) {
    Sent& sent = sent_[shared.iccid];
    if (!shared.form.empty()) {
        sent.form = shared.form;
        sent.at = world_.clock.steady();
    }
    // Another box may have it from now on. One that was not seen yet since the start may still be here.
    if (!shared.is_here && left_.erase(shared.iccid) > 0) {
        keep(shared.iccid, "");
    }
    sent.recipients.insert(shared.recipients.begin(), shared.recipients.end());
    const std::int64_t month = counted.count.usage.month.period;
    std::erase_if(sent.recipients, [month](const auto& to) { return to.month < month; });
    const bool has_all = std::ranges::all_of(counted.count.recipients, [&](std::uint64_t hash) {
        return sent.recipients.contains({.month = month, .recipient = hash});
    });
    if (has_all && (!counted.count.recipients.empty() || sent.recipients.empty())) {
        sent.recipients_seen = counted.count.usage.recipients.count;
    }
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
    std::vector<SimUsage> others;
    for (const ports::NameSims::Part& part : named.parts) {
        const auto ahead = seat_.ahead_of(part.box);
        const auto silence = seat_.watch().silence(part.box);
        is_dated = is_dated && (ahead || !silence || *silence >= world_.settings.lease);
        // One that a later release has written in other words: what is not known can't be counted.
        if (const auto usage =
                usage_of(part.form, ahead.value_or(unknown_lead), world_.clock.wall())) {
            others.push_back(*usage);
        }
        parts += part.form + (ahead ? "" : "?");
    }
    for (const ports::SimRecipient to : named.recipients) {
        sim.share.recipients[to.month].insert(to.recipient);
    }
    sim.heard = std::max(sim.heard, named.number);
    if (named.recipients.size() == ports::sim_recipients_max) {
        sim.asks = true;
        return;
    }
    sim.asks = false;
    sim.is_undated = !is_dated;
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
