/// One call of the store on its way to disk: applied inside a transaction, answered when that is
/// over.
///
/// Threads: made by any, run on the writing thread alone.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace smsrack::db {

class WriteJob {
public:
    WriteJob() = default;
    WriteJob(const WriteJob&) = delete;
    WriteJob& operator=(const WriteJob&) = delete;
    virtual ~WriteJob() = default;

    /// Inside the transaction of a batch. May throw StorageFailure: then the whole batch is taken
    /// back.
    virtual void apply() = 0;

    /// After the commit (nullptr), or after nothing of the batch was kept.
    virtual void complete(const Error* failure) = 0;

    /// What the disk refused comes again before anything that was posted later, until it is kept.
    [[nodiscard]] virtual bool insists() const = 0;
};

enum class Refused : std::uint8_t { tell, insist };

/// `work` gives Result<T>: an error there is an answer and has changed no row. `done` gets it after
/// the commit.
template <typename T, typename Work>
class WriteCall final : public WriteJob {
public:
    WriteCall(Work work, std::move_only_function<void(Result<T>)> done, Refused refused)
        : work_(std::move(work)), done_(std::move(done)), refused_(refused) {}

    void apply() override { result_ = work_(); }

    void complete(const Error* failure) override {
        if (done_) {
            done_(failure == nullptr ? std::move(result_) : Result<T>(std::unexpected(*failure)));
        }
    }

    [[nodiscard]] bool insists() const override { return refused_ == Refused::insist; }

private:
    Work work_;
    std::move_only_function<void(Result<T>)> done_;
    Refused refused_;
    Result<T> result_ = std::unexpected(Error{});  // until it was applied
};

template <typename T, typename Work>
[[nodiscard]] std::unique_ptr<WriteJob> make_write(Work work,
                                                   std::move_only_function<void(Result<T>)> done,
                                                   Refused refused = Refused::tell) {
    return std::make_unique<WriteCall<T, Work>>(std::move(work), std::move(done), refused);
}

}  // namespace smsrack::db
