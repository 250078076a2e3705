#include "src/cluster/upgrader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::cluster {

using ports::BoxRow;

/// Null: none is known.
const BoxRow* Upgrader::row_of(auto matches) const {
    const auto& boxes = seat_.fleet().boxes;
    const auto found = std::ranges::find_if(boxes, matches);
    return found == boxes.end() ? nullptr : &*found;
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
    const bool beats = seat_.watch().silence(box->box).value_or(SteadyTime::duration::zero()) <
                       world_.settings.lease;
    if (!beats || (box->life != ports::BoxLife::running && box->life != ports::BoxLife::draining)) {
        return done(fail(Errc::conflict, name + " does not run"));
    }
    const UpgradeMark mark{.by = own->box, .beats = own->beats};
    ordered_.insert_or_assign(box->box, Ordered{.mark = mark});
    news_();
    send(box->box, form_of(UpgradeLetter{.mark = mark, .order = std::move(order)}),
         std::move(done));
}

bool Upgrader::is_fresh(const BoxRow& by, const UpgradeMark& mark) const {
    const bool beats =
        seat_.watch().silence(by.box).value_or(SteadyTime::duration::max()) < world_.settings.lease;
    return beats && by.beats - mark.beats <= order_beats;
}

void Upgrader::heard(const UpgradeLetter& letter) {
    const BoxRow* const by = row_of([&](const BoxRow& row) { return row.box == letter.mark.by; });
    if (by == nullptr || !is_fresh(*by, letter.mark)) {
        return refuse(letter.mark, "the order came too late");
    }
    if (!carry_) {
        return refuse(letter.mark, "its program can't be upgraded");
    }
    carry_(by->name, letter.order, [this, mark = letter.mark](const Error& error) {
        world_.desk.post([this, mark, why = error.context] { refuse(mark, why); });
    });
}

/// It is said once: where it gets lost, the box that ordered waits in vain, as for one that hangs.
void Upgrader::refuse(const UpgradeMark& mark, std::string why) {
    const auto own = seat_.own_row();
    if (!seat_.seat() || !own) {
        return;
    }
    send(mark.by, form_of(RefusalLetter{.from = own->box, .mark = mark, .why = std::move(why)}),
         [](const Result<>&) {});
}

void Upgrader::heard(const RefusalLetter& letter) {
    const auto ordered = ordered_.find(letter.from);
    if (ordered != ordered_.end() && ordered->second.mark == letter.mark) {
        ordered->second.why_not = letter.why;
        news_();
    }
}

std::string Upgrader::why_not(BoxNumber box) const {
    const auto ordered = ordered_.find(box);
    return ordered == ordered_.end() ? std::string() : ordered->second.why_not;
}

void Upgrader::send(BoxNumber to, std::string form, ports::Done<void> done) {
    ports::SendMail command{.seat = *seat_.seat()};
    command.mail.push_back({.to = to, .form = std::move(form)});
    world_.ask(world_.engine, std::move(command),
               [done = std::move(done)](Result<> sent) mutable { done(std::move(sent)); });
}

}  // namespace smsrack::cluster
