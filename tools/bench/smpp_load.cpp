#include "tools/bench/smpp_load.hpp"

#include <fmt/format.h>
#include <optional>
#include <poll.h>

namespace smsrack::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

void take(LoadSession& session, Answered& all) {
    while (auto pdu = session.esme.read(milliseconds(0))) {
        if (pdu->header.command == smpp::Command::deliver_sm) {
            session.esme.answer(pdu->header);
            continue;
        }
        const auto asked = session.asked.extract(pdu->header.sequence);
        if (!asked) {
            continue;
        }
        ++(pdu->header.status == smpp::Status::ok ? all.good : all.bad);
        all.ms.push_back(
            std::chrono::duration<double, std::milli>(steady_clock::now() - asked.mapped())
                .count());
    }
}

/// When the submits of a pace are due. An answer counts from then, not from when a window had room.
class Due {
public:
    explicit Due(double pace) : pace_(pace) {}

    /// When the next one was due; nullopt: it is not yet.
    std::optional<steady_clock::time_point> take(steady_clock::time_point now) {
        if (pace_ == 0) {
            return now;
        }
        const auto due = begin_ + std::chrono::duration_cast<steady_clock::duration>(
                                      std::chrono::duration<double>(taken_ / pace_));
        if (now < due) {
            return std::nullopt;
        }
        ++taken_;
        return due;
    }
    [[nodiscard]] milliseconds wait() const { return milliseconds(pace_ == 0 ? 5'000 : 1); }

private:
    const double pace_;
    const steady_clock::time_point begin_ = steady_clock::now();
    double taken_ = 0;
};

}  // namespace

smpp::Message numbered_message(std::size_t serial, std::uint8_t registered_delivery) {
    return {
        .source = {.ton = 5, .npi = 0, .text = "Bench"},
        .destination = {.ton = 1, .npi = 1, .text = fmt::format("336{:08}", serial % 100'000'000)},
        .registered_delivery = registered_delivery,
        .short_message = fmt::format("A message of forty characters, {:08}", serial)};
}

Result<Answered> load(const Context& context, std::vector<LoadSession>& sessions, const Load& how,
                      std::chrono::seconds lasting) {
    static std::size_t serial = 0;
    Answered all;
    Due due(how.pace);
    const auto end = steady_clock::now() + lasting;
    auto heard_at = steady_clock::now();
    std::vector<pollfd> fds;
    for (const LoadSession& session : sessions) {
        fds.push_back({.fd = session.esme.descriptor(), .events = POLLIN, .revents = 0});
    }
    for (bool over = false; !over;) {
        const bool sends = steady_clock::now() < end;
        over = !sends;
        for (LoadSession& session : sessions) {
            while (sends && session.asked.size() < how.window) {
                const auto since = due.take(steady_clock::now());
                if (!since) {
                    break;
                }
                const auto sequence =
                    session.esme.send(smpp::Command::submit_sm, numbered_message(++serial, 0));
                session.asked.emplace(sequence, *since);
            }
            session.esme.flush();
            over = over && session.asked.empty();
        }
        if (over) {
            break;
        }
        const bool answers =
            ::poll(fds.data(), fds.size(), static_cast<int>(due.wait().count())) > 0;
        heard_at = answers ? steady_clock::now() : heard_at;
        if (context.interrupt.rest(milliseconds(0)) ||
            steady_clock::now() > heard_at + std::chrono::seconds(5)) {
            return fail(Errc::timeout, "the gate does not answer");
        }
        for (std::size_t i = 0; i < sessions.size(); ++i) {
            if (fds[i].revents != 0) {
                take(sessions[i], all);
            }
            if (!sessions[i].esme.is_open()) {
                return fail(Errc::closed, "the gate closed a session");
            }
        }
    }
    return all;
}

}  // namespace smsrack::bench
