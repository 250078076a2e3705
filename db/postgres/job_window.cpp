#include "db/postgres/job_window.hpp"

#include <utility>

namespace smsrack::postgres {
namespace {

// Of one command: deadlocks with the same box do not repeat, since its transactions take turns.
constexpr int tries_max = 5;

}  // namespace

std::string JobWindow::begin(Jobs& queue, bool rolls_back) {
    secret_.clear();
    is_warned_ = false;
    std::string text = rolls_back ? "ROLLBACK;" : "";
    awaits_ = rolls_back ? Awaits::rollback : Awaits::begin;
    if (!queue.empty() && !queue.front()->sql().secret.empty()) {
        if (rolls_back) {
            return text;
        }
        // A value that is sent separately allows one statement only, which is a transaction by itself.
        jobs_.push_back(std::move(queue.front()));
        queue.pop_front();
        awaits_ = Awaits::rows;
        secret_ = jobs_.front()->sql().secret;
        return jobs_.front()->sql().text;
    }
    while (!queue.empty() && jobs_.size() < window_jobs_max) {
        const Sql& sql = queue.front()->sql();
        const bool fits = jobs_.empty() || text.size() + sql.text.size() <= window_octets_max;
        if (!fits || !sql.secret.empty()) {
            break;
        }
        text += "BEGIN;" + sql.text + ";COMMIT;";
        text += sql.asks_two_disks ? "SELECT smsrack.two_disks();" : "";
        jobs_.push_back(std::move(queue.front()));
        queue.pop_front();
    }
    return text;
}

void JobWindow::on_result(const Rows& rows, Jobs& queue) {
    if (rows.is_error()) {
        refuse(rows, queue);
    } else {
        advance(rows);
    }
}

void JobWindow::advance(const Rows& rows) {
    if (awaits_ == Awaits::rollback) {
        awaits_ = Awaits::begin;
        return;
    }
    if (jobs_.empty()) {
        return;
    }
    EngineJob& job = *jobs_.front();
    switch (awaits_) {
        case Awaits::rollback:
        case Awaits::begin:
            is_warned_ = false;
            awaits_ = Awaits::rows;
            break;
        case Awaits::rows:
            job.read(rows);
            awaits_ = Awaits::commit;
            break;
        case Awaits::commit:
            awaits_ = Awaits::disks;
            if (!job.sql().asks_two_disks) {
                finish_first();
            }
            break;
        case Awaits::disks:
            job.note_two_disks(rows.size() == 1 && rows.flag(0, 0));
            finish_first();
            break;
    }
}

void JobWindow::refuse(const Rows& rows, Jobs& queue) {
    if (jobs_.empty() || awaits_ == Awaits::rollback) {
        return;
    }
    if (awaits_ == Awaits::disks) {  // it is committed
        finish_first();
        return;
    }
    EngineJob& job = *jobs_.front();
    // libpq's own errors are of a lost connection, which on_loss() judges.
    if (rows.sqlstate().empty()) {
        return;
    }
    if (awaits_ == Awaits::commit && !may_retry(rows.sqlstate())) {
        fail_first(outcome_unknown());
    } else if (may_retry(rows.sqlstate()) && job.tries < tries_max) {
        ++job.tries;
    } else {
        fail_first(error_of(rows.sqlstate(), rows.message()));
    }
    put_back(queue);
}

void JobWindow::on_end(Jobs& queue) {
    if (!secret_.empty() && awaits_ == Awaits::commit && !jobs_.empty()) {
        finish_first();
    }
    put_back(queue);
}

bool JobWindow::on_loss() {
    if (!jobs_.empty() && awaits_ == Awaits::disks) {  // it is committed
        finish_first();
    }
    const bool is_unknown = !jobs_.empty();
    while (!jobs_.empty()) {
        fail_first(outcome_unknown());
    }
    return is_unknown;
}

void JobWindow::finish_first() {
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    awaits_ = Awaits::begin;
    if (std::exchange(is_warned_, false)) {
        return job->fail(outcome_unknown());
    }
    has_entered_ = has_entered_ || job->need() == Need::enter;
    job->finish();
}

void JobWindow::fail_first(Error error) {
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    awaits_ = Awaits::begin;
    job->fail(std::move(error));
}

void JobWindow::put_back(Jobs& queue) {
    while (!jobs_.empty()) {
        queue.push_front(std::move(jobs_.back()));
        jobs_.pop_back();
    }
}

}  // namespace smsrack::postgres
