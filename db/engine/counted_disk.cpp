#include "db/engine/counted_disk.hpp"

#include "db/engine/gathered_writes.hpp"
#include "src/base/check.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <fmt/format.h>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace smsrack::db {

using stats::Counter;

struct CountedDisk::State {
    stats::Stats& stats;
    std::string name;
    sqlite3_vfs vfs = {};
    sqlite3_vfs* real = nullptr;
};

namespace {

// A shorter write is a header, such as that of a frame of the log.
constexpr int smallest_page = 512;

/// Which counters a file has.
struct Counted {
    Counter octets;
    Counter pages;
};

constexpr Counted of_log{.octets = Counter::store_log_octets, .pages = Counter::store_log_pages};
constexpr Counted of_database{.octets = Counter::store_file_octets,
                              .pages = Counter::store_file_pages};

/// What SQLite has in its hand; the real file lies behind it.
struct Shim {
    sqlite3_file base;
    stats::Stats* stats;
    const Counted* counted;  // null: a temporary file, which is not counted
    sqlite3_file* real;
    GatheredWrites* gathered;  // null: each write is handed over at once
};

Shim& shim_of(sqlite3_file* file) {
    return *reinterpret_cast<Shim*>(file);
}

sqlite3_file* real_of(sqlite3_file* file) {
    return shim_of(file).real;
}

/// What is refused is gone, as if SQLite had heard it at its own write.
int hand_over(const Shim& shim) {
    if (shim.gathered == nullptr || shim.gathered->empty()) {
        return SQLITE_OK;
    }
    const std::span<const char> octets = shim.gathered->octets();
    const int code = shim.real->pMethods->xWrite(
        shim.real, octets.data(), static_cast<int>(octets.size()), shim.gathered->offset());
    shim.gathered->clear();
    return code;
}

/// Hands over what is gathered, and gives the real file; its methods are called after it.
template <typename Call>
int after_writes(sqlite3_file* file, Call call) {
    const int code = hand_over(shim_of(file));
    return code != SQLITE_OK ? code : call(real_of(file));
}

int close(sqlite3_file* file) {
    const int written = hand_over(shim_of(file));
    delete shim_of(file).gathered;
    const int closed = real_of(file)->pMethods->xClose(real_of(file));
    return written != SQLITE_OK ? written : closed;
}

int read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
    return after_writes(
        file, [=](sqlite3_file* real) { return real->pMethods->xRead(real, to, size, offset); });
}

int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
    const Shim& shim = shim_of(file);
    if (shim.counted != nullptr) {
        shim.stats->add(shim.counted->octets, static_cast<std::uint64_t>(size));
        if (size >= smallest_page) {
            shim.stats->add(shim.counted->pages);
        }
    }
    const std::span octets(static_cast<const char*>(from), static_cast<std::size_t>(size));
    if (shim.gathered != nullptr && shim.gathered->add(octets, offset)) {
        return SQLITE_OK;
    }
    return after_writes(file, [&](sqlite3_file* real) {
        if (shim.gathered != nullptr && shim.gathered->add(octets, offset)) {
            return SQLITE_OK;
        }
        return real->pMethods->xWrite(real, from, size, offset);
    });
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
    return after_writes(file,
                        [=](sqlite3_file* real) { return real->pMethods->xTruncate(real, size); });
}

int sync(sqlite3_file* file, int flags) {
    shim_of(file).stats->add(Counter::store_syncs);
    return after_writes(file,
                        [=](sqlite3_file* real) { return real->pMethods->xSync(real, flags); });
}

int size(sqlite3_file* file, sqlite3_int64* octets) {
    return after_writes(
        file, [=](sqlite3_file* real) { return real->pMethods->xFileSize(real, octets); });
}
int lock(sqlite3_file* file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}
int unlock(sqlite3_file* file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
int is_reserved(sqlite3_file* file, int* answer) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), answer);
}
int control(sqlite3_file* file, int what, void* argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}
int sector_size(sqlite3_file* file) {
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}
int characteristics(sqlite3_file* file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
int shm_map(sqlite3_file* file, int page, int octets, int extend, void volatile** to) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, octets, extend, to);
}
int shm_lock(sqlite3_file* file, int offset, int n, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}
void shm_barrier(sqlite3_file* file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}
int shm_unmap(sqlite3_file* file, int remove) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

constexpr sqlite3_io_methods methods{.iVersion = 2,
                                     .xClose = close,
                                     .xRead = read,
                                     .xWrite = write,
                                     .xTruncate = truncate,
                                     .xSync = sync,
                                     .xFileSize = size,
                                     .xLock = lock,
                                     .xUnlock = unlock,
                                     .xCheckReservedLock = is_reserved,
                                     .xFileControl = control,
                                     .xSectorSize = sector_size,
                                     .xDeviceCharacteristics = characteristics,
                                     .xShmMap = shm_map,
                                     .xShmLock = shm_lock,
                                     .xShmBarrier = shm_barrier,
                                     .xShmUnmap = shm_unmap,
                                     .xFetch = nullptr,
                                     .xUnfetch = nullptr};

const Counted* counted_as(int flags) {
    if ((flags & SQLITE_OPEN_WAL) != 0) {
        return &of_log;
    }
    return (flags & SQLITE_OPEN_MAIN_DB) != 0 ? &of_database : nullptr;
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    const auto& state = *static_cast<CountedDisk::State*>(vfs->pAppData);
    const bool is_log = (flags & SQLITE_OPEN_WAL) != 0;
    Shim* const shim = new (file)
        Shim{.base = {},
             .stats = &state.stats,
             .counted = counted_as(flags),
             .real = reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(Shim)),
             .gathered = is_log ? new (std::nothrow) GatheredWrites : nullptr};
    const int code = state.real->xOpen(state.real, name, shim->real, flags, out_flags);
    if (shim->real->pMethods != nullptr) {
        shim->base.pMethods = &methods;
    } else {  // SQLite closes nothing
        delete std::exchange(shim->gathered, nullptr);
    }
    return code;
}

// The other calls go to the real VFS with the real VFS: it may look at its own pAppData.
sqlite3_vfs* real_of(sqlite3_vfs* vfs) {
    return static_cast<CountedDisk::State*>(vfs->pAppData)->real;
}

int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    return real_of(vfs)->xDelete(real_of(vfs), name, sync_folder);
}
int access(sqlite3_vfs* vfs, const char* name, int flags, int* answer) {
    return real_of(vfs)->xAccess(real_of(vfs), name, flags, answer);
}
int full_name(sqlite3_vfs* vfs, const char* name, int octets, char* out) {
    return real_of(vfs)->xFullPathname(real_of(vfs), name, octets, out);
}

}  // namespace

CountedDisk::CountedDisk(stats::Stats& stats) : state_(new State{.stats = stats, .name = {}}) {
    // Several stores of one process have one each.
    state_->name = fmt::format("smsrack-{}", static_cast<const void*>(state_.get()));
    state_->real = sqlite3_vfs_find(nullptr);
    SMSRACK_CHECK(state_->real != nullptr);
    state_->vfs = *state_->real;  // time, chance and the last error are the real one's
    state_->vfs.pNext = nullptr;
    state_->vfs.zName = state_->name.c_str();
    state_->vfs.szOsFile = static_cast<int>(sizeof(Shim)) + state_->real->szOsFile;
    state_->vfs.pAppData = state_.get();
    state_->vfs.xOpen = open;
    state_->vfs.xDelete = remove;
    state_->vfs.xAccess = access;
    state_->vfs.xFullPathname = full_name;
    SMSRACK_CHECK(sqlite3_vfs_register(&state_->vfs, 0) == SQLITE_OK);
}

CountedDisk::~CountedDisk() {
    sqlite3_vfs_unregister(&state_->vfs);
}

const char* CountedDisk::name() const {
    return state_->name.c_str();
}

}  // namespace smsrack::db
