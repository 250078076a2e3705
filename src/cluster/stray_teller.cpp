#include "src/cluster/stray_teller.hpp"

#include "src/cluster/report_form.hpp"

#include <utility>

namespace smsrack::cluster {
namespace {

constexpr std::size_t looked_at = 256;

}  // namespace

void StrayTeller::begin() {
    of_ = *seat_.seat();
    if (others().empty()) {
        return end();  // or they are not known yet
    }
    world_.look(
        [after = after_, until = world_.clock.wall() - waits](ports::FleetReader& reader) {
            return reader.stray_reports(after, until, looked_at);
        },
        [this](const Result<ports::StrayReports>& page) {
            if (!page) {
                return end();
            }
            send(*page);
        });
}

std::vector<BoxNumber> StrayTeller::others() const {
    std::vector<BoxNumber> others;
    for (const ports::BoxRow& row : seat_.fleet().boxes) {
        const bool is_gone = row.life == ports::BoxLife::dead || row.life == ports::BoxLife::left;
        if (row.box != of_.box && !is_gone) {
            others.push_back(row.box);
        }
    }
    return others;
}

/// To each of them: only there is known what that one has sent.
void StrayTeller::send(const ports::StrayReports& page) {
    const auto boxes = others();
    ports::SendMail command{.seat = of_};
    std::int64_t last = page.last;
    bool has_more = page.has_more;
    for (const ports::StrayReport& stray : page.reports) {
        if (!command.mail.empty() && command.mail.size() + boxes.size() > ports::engine_batch_max) {
            last = stray.number - 1;
            has_more = true;
            break;
        }
        const auto form = form_of(
            ReportLetter{.from = of_.box, .name = world_.settings.who.name, .stray = stray});
        for (const BoxNumber box : boxes) {
            command.mail.push_back({.to = box, .form = form});
        }
    }
    if (command.mail.empty() && has_more) {
        return note(last, true);
    }
    if (command.mail.empty()) {
        after_ = last;
        return end();
    }
    world_.ask(world_.engine, std::move(command), [this, last, has_more](const Result<>& sent) {
        if (!sent) {
            return give_up(of_, sent.error());
        }
        note(last, has_more);
    });
}

/// Only where some were sent, or a page was full: after a start the others are looked at once more.
void StrayTeller::note(std::int64_t last, bool has_more) {
    world_.ask(world_.store, ports::NoteStraysTold{.number = last},
               [this, last, has_more](const Result<>& noted) {
                   after_ = noted ? last : after_;
                   end(noted && has_more);
               });
}

}  // namespace smsrack::cluster
