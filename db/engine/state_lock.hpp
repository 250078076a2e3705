/// One process at a time on a state folder: an flock on a file that names who holds it.
///
/// The kernel drops it with the process, however that ends; take() waits half a second for one that is on its way out.
/// Errors:  busy names the process that holds it; storage (the folder is missing or can't be
/// written).
#pragma once

#include "src/base/result.hpp"

#include <filesystem>

namespace smsrack::db {

class StateLock {
public:
    [[nodiscard]] static Result<StateLock> take(const std::filesystem::path& file);

    /// The lock that another process has passed on: this one is named in the file. The object closes it.
    [[nodiscard]] static StateLock adopt(int descriptor);
    /// A further descriptor of the lock, for the process that resumes: it is held until all are closed. The caller
    /// closes it.
    [[nodiscard]] int duplicate() const;

    StateLock(StateLock&& other) noexcept;
    StateLock& operator=(StateLock&&) = delete;
    StateLock(const StateLock&) = delete;
    StateLock& operator=(const StateLock&) = delete;
    ~StateLock();

private:
    explicit StateLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

}  // namespace smsrack::db
