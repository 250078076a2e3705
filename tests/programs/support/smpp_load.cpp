#include "tests/programs/support/smpp_load.hpp"

#include "tests/programs/support/smpp_rack.hpp"
#include "tools/rig/esme.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using smpp::Command;
using smpp::Status;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds pause_after_refusal{200};
constexpr milliseconds pause_before_bind{100};
constexpr milliseconds longest_wait{10};
constexpr milliseconds quiet_at_end{2'000};
constexpr std::size_t faults_shown = 20;

struct Asked {
    std::size_t message = 0;
    steady_clock::time_point at = {};
};

/// A receipt that was taken, for its age when it comes again.
struct Taken {
    std::size_t session = 0;
    std::size_t bind = 0;  // of the session, how many it had
    steady_clock::time_point at = {};
};

/// A receipt that came and is not answered yet.
struct Held {
    smpp::Header header;
    std::string id;
    smpp::Message receipt;
    steady_clock::time_point answer_at = {};
};

struct LoadSession {
    SmppLoadPlan::Session plan;
    std::unique_ptr<rig::Esme> esme = {};  // null: not bound
    std::size_t binds = 0;
    std::vector<steady_clock::time_point> ends = {};  // of its binds, in order
    std::unordered_map<std::uint32_t, Asked> asked = {};
    std::deque<std::size_t> again = {};  // messages to submit again
    std::deque<Held> held = {};          // in order of answer_at
    steady_clock::time_point rests_until = {};
    steady_clock::time_point bind_at = {};
};

/// The ESMEs, on the load's thread.
class Fleet {
public:
    Fleet(const SmppLoadPlan& plan, LoadReport& report, LoadCounts& counts)
        : plan_(plan), report_(report), counts_(counts) {
        for (std::size_t n = 0; n < plan.messages; ++n) {
            report_.messages.push_back({.number = fmt::format("+336{:08}", plan.first + n)});
        }
        for (const SmppLoadPlan::Session& session : plan.sessions) {
            sessions_.push_back({.plan = session});
        }
    }

    void turn() {
        for (LoadSession& session : sessions_) {
            bind_if_due(session);
            submit(session);
        }
        std::size_t in_flight = 0;
        for (const LoadSession& session : sessions_) {
            in_flight += session.asked.size();
        }
        counts_.in_flight = in_flight;
        wait();
        for (std::size_t n = 0; n < sessions_.size(); ++n) {
            read(n);
            answer_due(n);
        }
        for (LoadSession& session : sessions_) {
            if (session.esme != nullptr && !session.esme->is_open()) {
                lose(session);
            }
        }
    }

    [[nodiscard]] bool is_complete() const {
        return counts_.accepted == plan_.messages &&
               (!plan_.wants_receipts || counts_.ended == plan_.messages);
    }

    void conclude() {
        for (const auto& [id, number] : strangers_) {
            if (by_id_.contains(id)) {
                ++report_.early;
                fault(fmt::format("the receipt of message {} to {} came before its answer", id,
                                  number));
            } else {
                ++report_.strangers;
            }
        }
        for (const LoadSession& session : sessions_) {
            report_.binds += session.binds;
        }
    }

    void fault(std::string sentence) {
        if (++report_.fault_count <= faults_shown) {
            report_.faults.push_back(std::move(sentence));
        }
    }

private:
    void bind_if_due(LoadSession& session) {
        const auto now = steady_clock::now();
        if (session.esme != nullptr || now < session.bind_at) {
            return;
        }
        session.bind_at = now + pause_before_bind;
        try {
            auto esme = std::make_unique<rig::Esme>(plan_.port);
            const auto status = esme->bind(session.plan.account, "secret12", session.plan.kind);
            if (status == Status::ok) {
                session.esme = std::move(esme);
                ++session.binds;
            } else if (status) {
                fault(fmt::format("a bind of {} was refused with {}", session.plan.account,
                                  smpp::status_name(*status)));
            }
        } catch (const std::runtime_error&) {
            // Nothing listens there yet.
        }
    }

    void submit(LoadSession& session) {
        if (session.esme == nullptr || steady_clock::now() < session.rests_until) {
            return;
        }
        while (session.asked.size() < session.plan.window) {
            std::size_t message = next_;
            if (!session.again.empty()) {
                message = session.again.front();
                session.again.pop_front();
            } else if (next_ < plan_.messages) {
                ++next_;
            } else {
                break;
            }
            const std::uint32_t sequence = session.esme->send(
                Command::submit_sm,
                message_to(report_.messages[message].number, fmt::format("Message {}", message)));
            session.asked[sequence] = {.message = message, .at = steady_clock::now()};
        }
        session.esme->flush();
    }

    void wait() const {
        std::vector<pollfd> fds;
        for (const LoadSession& session : sessions_) {
            if (session.esme != nullptr) {
                fds.push_back({.fd = session.esme->descriptor(), .events = POLLIN, .revents = 0});
            }
        }
        (void)::poll(fds.data(), fds.size(), static_cast<int>(longest_wait.count()));
    }

    /// Everything that has come.
    void read(std::size_t n) {
        LoadSession& session = sessions_[n];
        while (session.esme != nullptr) {
            const auto pdu = session.esme->read(0ms);
            if (!pdu) {
                break;
            }
            take(n, *pdu);
        }
        if (session.esme != nullptr) {
            session.esme->flush();
        }
    }

    void take(std::size_t n, const smpp::Pdu& pdu) {
        LoadSession& session = sessions_[n];
        if (pdu.header.command == Command::deliver_sm) {
            hold(n, pdu);
        } else if (pdu.header.command == Command::submit_sm_resp) {
            take_answer(session, pdu);
        } else {
            fault(fmt::format("{} got an unexpected {}", session.plan.account,
                              smpp::command_name(pdu.header.command)));
        }
    }

    void take_answer(LoadSession& session, const smpp::Pdu& pdu) {
        const auto asked = session.asked.extract(pdu.header.sequence);
        if (!asked) {
            return fault(
                fmt::format("{} got an answer to the sequence number {}, which it did not "
                            "use or which was answered before",
                            session.plan.account, pdu.header.sequence));
        }
        const auto now = steady_clock::now();
        const auto& [index, at] = asked.mapped();
        LoadMessage& message = report_.messages[index];
        switch (pdu.header.status) {
            case Status::ok:
                report_.answer_ms.push_back(
                    std::chrono::duration<double, std::milli>(now - at).count());
                message.id = std::get<smpp::MessageAnswer>(pdu.body).message_id;
                if (!by_id_.emplace(message.id, index).second) {
                    fault(fmt::format("two submits were answered with the id {}", message.id));
                }
                ++counts_.accepted;
                return;
            case Status::throttled:
            case Status::queue_full:
                ++(pdu.header.status == Status::throttled ? report_.throttled : report_.full);
                session.again.push_back(index);
                session.rests_until = now + pause_after_refusal;
                return;
            default:
                fault(fmt::format("the submit to {} was refused with {}", message.number,
                                  smpp::status_name(pdu.header.status)));
        }
    }

    void hold(std::size_t n, const smpp::Pdu& pdu) {
        const auto& receipt = std::get<smpp::Message>(pdu.body);
        const std::string id = id_of(receipt);
        sessions_[n].held.push_back({.header = pdu.header,
                                     .id = id,
                                     .receipt = receipt,
                                     .answer_at = steady_clock::now() + plan_.answers_after});
        if (by_id_.contains(id)) {
            return;
        }
        // Its answer may have left before, on another session that was not read yet.
        for (std::size_t other = 0; other < sessions_.size(); ++other) {
            if (other != n) {
                read(other);
            }
        }
        if (!by_id_.contains(id)) {
            strangers_.emplace(id, receipt.source.text);
        }
    }

    void answer_due(std::size_t n) {
        LoadSession& session = sessions_[n];
        const auto now = steady_clock::now();
        while (session.esme != nullptr && !session.held.empty() &&
               session.held.front().answer_at <= now) {
            session.esme->answer(session.held.front().header);
            take_receipt(n, session.held.front());
            session.held.pop_front();
        }
        if (session.esme != nullptr) {
            session.esme->flush();
        }
    }

    void take_receipt(std::size_t n, const Held& held) {
        const auto found = by_id_.find(held.id);
        if (found == by_id_.end()) {
            return;  // a stranger
        }
        LoadMessage& message = report_.messages[found->second];
        if (held.receipt.source.text != message.number.substr(1)) {
            fault(fmt::format("the receipt of message {} to {} names the number {}", held.id,
                              message.number, held.receipt.source.text));
        }
        message.receipts.push_back(stat_of(held.receipt));
        if (message.receipts.size() == 1) {
            ++counts_.ended;
            taken_[held.id] = {.session = n, .bind = sessions_[n].binds, .at = steady_clock::now()};
        } else {
            note_repeat(held.id, message);
        }
    }

    void note_repeat(const std::string& id, LoadMessage& message) {
        const Taken& first = taken_.at(id);
        const LoadSession& session = sessions_[first.session];
        if (first.bind > session.ends.size()) {
            return fault(
                fmt::format("the receipt of message {} to {} came again, and the session "
                            "that took it first has not ended",
                            id, message.number));
        }
        message.repeated_age =
            std::chrono::ceil<milliseconds>(session.ends[first.bind - 1] - first.at);
    }

    void lose(LoadSession& session) {
        session.esme.reset();
        session.held.clear();  // without an answer they come again
        session.ends.push_back(steady_clock::now());
        session.bind_at = steady_clock::now() + pause_before_bind;
        if (!plan_.survives_ends) {
            fault(fmt::format("a session of {} was closed", session.plan.account));
        }
        for (const auto& [sequence, asked] : std::exchange(session.asked, {})) {
            ++report_.messages[asked.message].unanswered;
            session.again.push_back(asked.message);
        }
    }

    const SmppLoadPlan& plan_;
    LoadReport& report_;
    LoadCounts& counts_;
    std::vector<LoadSession> sessions_;
    std::size_t next_ = 0;
    std::unordered_map<std::string, std::size_t> by_id_;
    std::unordered_map<std::string, Taken> taken_;
    std::map<std::string, std::string> strangers_;  // id -> number
};

}  // namespace

SmppLoad::SmppLoad(SmppLoadPlan plan)
    : plan_(std::move(plan)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void SmppLoad::run(const std::stop_token& stop) {
    Fleet fleet(plan_, report_, counts_);
    const auto begun = steady_clock::now();
    try {
        auto quiet_until = steady_clock::time_point::max();
        while (!stop.stop_requested() && steady_clock::now() < quiet_until) {
            fleet.turn();
            if (report_.seconds == 0 && counts_.accepted == plan_.messages) {
                report_.seconds =
                    std::chrono::duration<double>(steady_clock::now() - begun).count();
            }
            if (fleet.is_complete() && quiet_until == steady_clock::time_point::max()) {
                quiet_until = steady_clock::now() + quiet_at_end;  // for what comes too often
            }
        }
    } catch (const std::exception& error) {
        fleet.fault(error.what());
    } catch (...) {
        fleet.fault("a receipt was not as it must be");  // a REQUIRE has said how
    }
    fleet.conclude();
    done_ = true;
}

const LoadReport& SmppLoad::end() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
    return report_;
}

}  // namespace smsrack::test
