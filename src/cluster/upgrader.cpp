#include "src/cluster/upgrader.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {
namespace {

using ports::BoxRow;

// The letter may be there before the beat that it names.
constexpr std::int64_t beats_ahead = 2;

}  // namespace

void Upgrader::note_failure(std::string why) {
    failed_ = Failed{.why = std::move(why), .until = world_.clock.steady() + failure_counts};
}

/// Null: none is known.
const BoxRow* Upgrader::row_of(auto matches) const {
    const auto& boxes = seat_.fleet().boxes;
    const auto found = std::ranges::find_if(boxes, matches);
    return found == boxes.end() ? nullptr : &*found;
}

bool Upgrader::is_running(const BoxRow& box) const {
    const bool beats = seat_.watch().silence(box.box).value_or(SteadyTime::duration::zero()) <
                       world_.settings.lease;
    return beats && (box.life == ports::BoxLife::running || box.life == ports::BoxLife::draining);
}

void Upgrader::order(const std::string& name, ports::UpgradeOrder order, ports::Done<void> done) {
    const auto own = seat_.own_row();
    if (!seat_.is_seated() || !own) {
        return done(std::unexpected(engine_away()));
    }
    const BoxRow* const box = row_of([&](const BoxRow& row) { return row.name == name; });
    if (box == nullptr) {
        return done(fail(Errc::not_found, "no box of the fleet has the name " + name));
    }
    if (box->box == own->box) {
        return done(fail(Errc::conflict, "it is this box: `smsrack upgrade`"));
    }
    if (!is_running(*box)) {
        return done(fail(Errc::conflict, name + " does not run"));
    }
    Ordered& ordered = ordered_[box->box];
    if (ordered.answer || ordered.hash != order.hash) {
        ordered = {.hash = order.hash, .since = own->beats};
        news_();
    }
    const UpgradeMark mark{.by = own->box, .beats = own->beats};
    send(box->box, form_of(UpgradeLetter{.mark = mark, .order = std::move(order)}),
         std::move(done));
}

/// The box that gave it is there, and has not beaten often since. One that died before this box began to watch seems to be
/// there at first.
bool Upgrader::is_fresh(const BoxRow& by, std::int64_t beats) const {
    return is_running(by) && seat_.watch().has_beaten(by.box) && beats >= by.beats - order_beats &&
           beats <= by.beats + beats_ahead;
}

/// What is old, or is carried out already, has no answer: the box that waits for one repeats its order.
void Upgrader::heard(const UpgradeLetter& letter) {
    if (side_.runs && side_.runs() == letter.order.hash) {
        return answer(letter, {});
    }
    const BoxRow* const by = row_of([&](const BoxRow& row) { return row.box == letter.mark.by; });
    if (by == nullptr || !is_fresh(*by, letter.mark.beats)) {
        return;
    }
    if (const auto failed = std::exchange(failed_, {});
        failed && world_.clock.steady() < failed->until) {
        return answer(letter, failed->why);
    }
    if (!side_.carry_out) {
        return answer(letter, "its program can't be upgraded");
    }
    side_.carry_out(by->name, letter.order, [this, letter](const Error& error) {
        if (error.code != Errc::busy) {
            world_.desk.post([this, letter, why = error.context] { answer(letter, why); });
        }
    });
}

/// One that gets lost is given again for the next letter.
void Upgrader::answer(const UpgradeLetter& letter, std::string why_not) {
    const auto own = seat_.own_row();
    if (!seat_.seat() || !own) {
        return;
    }
    send(letter.mark.by,
         form_of(UpgradeAnswer{.from = own->box,
                               .mark = letter.mark,
                               .hash = letter.order.hash,
                               .why_not = std::move(why_not)}),
         [](const Result<>&) {});
}

void Upgrader::heard(const UpgradeAnswer& answer) {
    const auto found = ordered_.find(answer.from);
    if (found == ordered_.end()) {
        return;  // it was given before this program began
    }
    Ordered& ordered = found->second;
    if (answer.hash == ordered.hash && answer.mark.beats >= ordered.since) {
        ordered.answer = Answer{.upgraded_to = answer.why_not.empty() ? answer.hash : "",
                                .why_not = answer.why_not};
        news_();
    }
}

Upgrader::Answer Upgrader::answer_of(BoxNumber box) const {
    const auto ordered = ordered_.find(box);
    return ordered == ordered_.end() ? Answer{} : ordered->second.answer.value_or(Answer{});
}

void Upgrader::send(BoxNumber to, std::string form, ports::Done<void> done) {
    ports::SendMail command{.seat = *seat_.seat()};
    command.mail.push_back({.to = to, .form = std::move(form)});
    world_.ask(world_.engine, std::move(command),
               [done = std::move(done)](Result<> sent) mutable { done(std::move(sent)); });
}

}  // namespace smsrack::cluster
