#include "src/cluster/fleet_picture.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {

using ports::BoxLife;

bool may_come_back(BoxLife life) {
    return life == BoxLife::running || life == BoxLife::draining || life == BoxLife::parked;
}

void FleetPicture::note(const ports::FleetDecision& decision) {
    const auto own = seat_.own_row();
    known_until_ = seen_ && own ? own->beats + 1 : -1;  // one beat may be in flight
    seen_ = decision.number;
    seen_at_ = world_.clock.steady();
    decision_ = decision;
    decided_ = read_decision(decision.form).value_or(DecisionForm{});
}

void FleetPicture::forget() {
    seen_.reset();
    decision_ = {};
    decided_ = {};
    known_until_ = -1;
}

bool FleetPicture::may_precede() const {
    const auto own = seat_.own_row();
    return own && own->beats <= known_until_;
}

void FleetPicture::see(const std::vector<ports::BoxLoad>& loads, BoxNumber self,
                       std::chrono::seconds wake_within, const WakesFailed& failed) {
    boxes_.clear();
    for (ports::BoxRow row : seat_.fleet().boxes) {
        if (row.box == decision_.box && may_precede()) {
            row.life = decision_.life;
        }
        const auto silence = seat_.watch().silence(row.box);
        BoxNode box{
            .is_self = row.box == self,
            .beats = silence.value_or(SteadyTime::duration::zero()) < world_.settings.lease};
        box.row = std::move(row);
        box.comes = decision_.box == box.row.box && decision_.life == BoxLife::running &&
                    decided_.wakes && since_seen() < wake_within && !failed.contains(box.row.box);
        const auto said = std::ranges::find(loads, box.row.box, &ports::BoxLoad::box);
        if (said != loads.end()) {
            if (auto work = read_box_work(said->form)) {
                box.work = *std::move(work);
            }
        }
        boxes_.push_back(std::move(box));
    }
}

void FleetPicture::set_life(BoxNumber box, BoxLife life) {
    for (BoxNode& node : boxes_) {
        node.row.life = node.row.box == box ? life : node.row.life;
    }
}

const BoxNode* FleetPicture::node_of(BoxNumber box) const {
    const auto found =
        std::ranges::find(boxes_, box, [](const BoxNode& one) { return one.row.box; });
    return found == boxes_.end() ? nullptr : &*found;
}

std::uint32_t FleetPicture::known() const {
    return static_cast<std::uint32_t>(std::ranges::count_if(
        boxes_, [](const BoxNode& box) { return may_come_back(box.row.life); }));
}

const BoxNode* FleetPicture::draining() const {
    const BoxNode* const box = node_of(decision_.box);
    return box != nullptr && decision_.life == BoxLife::draining &&
                   box->row.life == BoxLife::draining
               ? box
               : nullptr;
}

bool FleetPicture::is_drained(const BoxNode& box) const {
    return box.row.held + box.row.firm == 0 && box.work && box.work->seen >= decision_.number &&
           box.work->own == 0 && why_it_stays(box, boxes_).empty();
}

bool FleetPicture::one_comes() const {
    return std::ranges::any_of(boxes_, [](const BoxNode& box) { return box.comes && !box.beats; });
}

}  // namespace smsrack::cluster
