/* A small path tracer for trays of dice: convex rounded dice are met exactly, everything else is triangles in a tree.
   Light: surroundings (a table of directions) and two discs. Lengths in mm, z up. render.py compiles and calls it. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MEETINGS 4 /* surfaces that light may meet on its way to the camera */
#define OWN 0.01f  /* added to the own color of a ground, so that black ground too has light */

typedef struct {
    float x, y, z;
} V;
static inline V v(float x, float y, float z) {
    V a = {x, y, z};
    return a;
}
static inline V add(V a, V b) { return v(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline V sub(V a, V b) { return v(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline V mul(V a, float s) { return v(a.x * s, a.y * s, a.z * s); }
static inline V had(V a, V b) { return v(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline V cross(V a, V b) { return v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static inline V unit(V a) { return mul(a, 1 / sqrtf(dot(a, a) + 1e-20f)); }
static inline float peak(V a) { return fmaxf(a.x, fmaxf(a.y, a.z)); }
static inline float clamp(float a, float lo, float hi) { return a < lo ? lo : a > hi ? hi : a; }

typedef struct {
    V n;
    float far;
    V right, down, mid;
    float tile;
} Plane;
typedef struct {
    V place;
    float turn[9];
    float bound, sharp, ball, half, cut;
    int32_t n, first, mat, owner;
    const float *cover, *depth;
    int32_t rows, columns;
} Body;
typedef struct {
    V color, second;
    int32_t pattern;
    float rough, gloss, metal, coat, clear, milk;
    V ink;
    float ink_metal;
    const float *waves, *picture, *relief;
    int32_t rows, columns;
    float wide;
} Material;
typedef struct {
    V p, n, col;
    float u, w;
} Point;
typedef struct {
    V a, e, f;
    int32_t i[3];
    int32_t mat;
} Triangle;
typedef struct {
    float lo[3], hi[3];
    int32_t left, count;
} Node;
typedef struct {
    V at, way;
    float radius;
    V light;
} Lamp;
typedef struct {
    Body *bodies;
    Plane *planes;
    int32_t body_count;
    Material *materials;
    Point *points;
    Triangle *triangles;
    int32_t triangle_count;
    Node *tree;
    const float *around;
    int32_t around_rows, around_columns;
    float *summed;
    float sum;
    Lamp lamps[2];
    V eye, axes[3];
    float focal;
    int32_t wide, tall;
    float clip;
} World;

static uint64_t state;
static inline float rnd(void) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    uint32_t x = (uint32_t)(((state >> 18) ^ state) >> 27), r = state >> 59;
    x = (x >> r) | (x << ((-r) & 31));
    return (x >> 8) * (1 / 16777216.0f);
}
static inline float fcos(float x) {
    x *= 0.15915494f;
    x -= 0.25f + floorf(x + 0.25f);
    x *= 16 * (fabsf(x) - 0.5f);
    return x + 0.225f * x * (fabsf(x) - 1);
}

/* --- meeting things */
typedef struct {
    float t;
    int body, tri;
    float u, w;
    V n;
} Hit;

static int meet_body(const World *W, const Body *b, V o, V d, float tmax, float *tout, V *nout) {
    V r = sub(o, b->place);
    float bq = dot(r, d), cq = dot(r, r) - b->bound * b->bound, disc = bq * bq - cq;
    if (disc < 0 || (cq > 0 && bq > 0))
        return 0;
    const float *R = b->turn;
    V lo = v(R[0] * r.x + R[3] * r.y + R[6] * r.z, R[1] * r.x + R[4] * r.y + R[7] * r.z,
             R[2] * r.x + R[5] * r.y + R[8] * r.z);
    V ld = v(R[0] * d.x + R[3] * d.y + R[6] * d.z, R[1] * d.x + R[4] * d.y + R[7] * d.z,
             R[2] * d.x + R[5] * d.y + R[8] * d.z);
    const Plane *P = W->planes + b->first;
    float t0 = 0, t1 = tmax;
    for (int i = 0; i < b->n; i++) {
        float dn = dot(P[i].n, ld), on = P[i].far - dot(P[i].n, lo);
        if (dn < -1e-7f) {
            float t = on / dn;
            if (t > t0)
                t0 = t;
        } else if (dn > 1e-7f) {
            float t = on / dn;
            if (t < t1)
                t1 = t;
        } else if (on < 0)
            return 0;
        if (t0 > t1)
            return 0;
    }
    float rr = dot(lo, lo) - b->ball * b->ball, rb = dot(lo, ld), rd = rb * rb - rr;
    if (rd < 0)
        return 0;
    rd = sqrtf(rd);
    t0 = fmaxf(t0, -rb - rd);
    t1 = fminf(t1, -rb + rd);
    if (t0 >= t1 || t0 <= 0)
        return 0;
    float t = t0;
    V g = {0, 0, 0};
    for (int k = 0; k < 8; k++) {
        V p = add(lo, mul(ld, t));
        float len = sqrtf(dot(p, p)), top = len - b->ball, over[48];
        for (int i = 0; i < b->n; i++) {
            over[i] = dot(P[i].n, p) - P[i].far;
            if (over[i] > top)
                top = over[i];
        }
        float e = expf(b->sharp * (len - b->ball - top)), sum = e;
        g = mul(p, e / len);
        for (int i = 0; i < b->n; i++) {
            float q = b->sharp * (over[i] - top);
            if (q > -9) {
                float w = expf(q);
                sum += w;
                g = add(g, mul(P[i].n, w));
            }
        }
        float f = top + logf(sum) / b->sharp;
        g = mul(g, 1 / sum);
        if (f < 0.004f)
            break;
        float slope = dot(g, ld);
        if (slope > -1e-4f)
            return 0;
        t -= f / slope;
        if (t > t1)
            return 0;
    }
    if (t >= tmax)
        return 0;
    /* the normal in the world, as everything else about a hit */
    g = unit(g);
    *tout = t;
    *nout = v(R[0] * g.x + R[1] * g.y + R[2] * g.z, R[3] * g.x + R[4] * g.y + R[5] * g.z,
              R[6] * g.x + R[7] * g.y + R[8] * g.z);
    return 1;
}

static int meet_tris(const World *W, V o, V d, float tmax, Hit *h, int any) {
    if (!W->triangle_count)
        return 0;
    V inv = v(1 / (fabsf(d.x) < 1e-9f ? 1e-9f : d.x), 1 / (fabsf(d.y) < 1e-9f ? 1e-9f : d.y),
              1 / (fabsf(d.z) < 1e-9f ? 1e-9f : d.z));
    int stack[64], top = 0, found = 0;
    stack[top++] = 0;
    while (top) {
        const Node *n = W->tree + stack[--top];
        float ax = (n->lo[0] - o.x) * inv.x, bx = (n->hi[0] - o.x) * inv.x, ay = (n->lo[1] - o.y) * inv.y,
              by = (n->hi[1] - o.y) * inv.y, az = (n->lo[2] - o.z) * inv.z, bz = (n->hi[2] - o.z) * inv.z;
        float near = fmaxf(fmaxf(fminf(ax, bx), fminf(ay, by)), fmaxf(fminf(az, bz), 0)),
              far = fminf(fminf(fmaxf(ax, bx), fmaxf(ay, by)), fminf(fmaxf(az, bz), tmax));
        if (near > far)
            continue;
        if (n->count) {
            for (int i = n->left; i < n->left + n->count; i++) {
                const Triangle *T = W->triangles + i;
                V p = cross(d, T->f);
                float det = dot(T->e, p);
                if (fabsf(det) < 1e-12f)
                    continue;
                float id = 1 / det;
                V s = sub(o, T->a);
                float u = dot(s, p) * id;
                if (u < 0 || u > 1)
                    continue;
                V q = cross(s, T->e);
                float w = dot(d, q) * id;
                if (w < 0 || u + w > 1)
                    continue;
                float t = dot(T->f, q) * id;
                if (t > 1e-4f && t < tmax) {
                    tmax = t;
                    found = 1;
                    if (any)
                        return 1;
                    h->t = t;
                    h->tri = i;
                    h->body = -1;
                    h->u = u;
                    h->w = w;
                }
            }
        } else {
            stack[top++] = n->left;
            stack[top++] = n->left + 1;
        }
    }
    return found;
}

static int meet(const World *W, V o, V d, Hit *h) {
    h->t = 1e9f;
    h->body = h->tri = -1;
    meet_tris(W, o, d, h->t, h, 0);
    for (int i = 0; i < W->body_count; i++) {
        float t;
        V n;
        if (meet_body(W, W->bodies + i, o, d, h->t, &t, &n)) {
            h->t = t;
            h->body = i;
            h->tri = -1;
            h->n = n;
        }
    }
    return h->body >= 0 || h->tri >= 0;
}
/* how much light comes through on the way */
static float open_way(const World *W, V o, V d, float tmax) {
    Hit h;
    float left = 1;
    for (int i = 0; i < W->body_count; i++) {
        float t;
        V n;
        if (meet_body(W, W->bodies + i, o, d, tmax, &t, &n)) {
            const Material *m = W->materials + W->bodies[i].mat;
            if (m->clear < 0.5f)
                return 0;
            left *= 0.55f * (1 - m->milk);
        }
    }
    if (meet_tris(W, o, d, tmax, &h, 1))
        return 0;
    return left;
}

/* --- the tree */
static void grow(World *W, Node *tree, int *used, int at, int first, int count) {
    Node *n = tree + at;
    float clo[3] = {1e9f, 1e9f, 1e9f}, chi[3] = {-1e9f, -1e9f, -1e9f};
    for (int k = 0; k < 3; k++)
        n->lo[k] = 1e9f, n->hi[k] = -1e9f;
    for (int i = first; i < first + count; i++) {
        Triangle *T = W->triangles + i;
        V p[3] = {T->a, add(T->a, T->e), add(T->a, T->f)};
        for (int k = 0; k < 3; k++) {
            float mid = 0;
            for (int j = 0; j < 3; j++) {
                float c = (&p[j].x)[k];
                mid += c / 3;
                if (c < n->lo[k])
                    n->lo[k] = c;
                if (c > n->hi[k])
                    n->hi[k] = c;
            }
            if (mid < clo[k])
                clo[k] = mid;
            if (mid > chi[k])
                chi[k] = mid;
        }
    }
    for (int k = 0; k < 3; k++)
        n->lo[k] -= 1e-3f, n->hi[k] += 1e-3f;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (chi[k] - clo[k] > chi[axis] - clo[axis])
            axis = k;
    if (count <= 4 || chi[axis] - clo[axis] < 1e-6f) {
        n->left = first;
        n->count = count;
        return;
    }
    float cut = (clo[axis] + chi[axis]) / 2;
    int i = first, j = first + count - 1;
    while (i <= j) {
        Triangle *T = W->triangles + i;
        float mid = (&T->a.x)[axis] + ((&T->e.x)[axis] + (&T->f.x)[axis]) / 3;
        if (mid < cut)
            i++;
        else {
            Triangle tmp = *T;
            *T = W->triangles[j];
            W->triangles[j] = tmp;
            j--;
        }
    }
    int l = i - first;
    if (l == 0 || l == count)
        l = count / 2;
    int kids = *used;
    *used += 2;
    n->left = kids;
    n->count = 0;
    grow(W, tree, used, kids, first, l);
    grow(W, tree, used, kids + 1, first + l, count - l);
}

/* --- light */
void prepare(World *W) {
    int used = 1;
    if (W->triangle_count)
        grow(W, W->tree, &used, 0, 0, W->triangle_count);
    float sum = 0;
    for (int r = 0; r < W->around_rows; r++) {
        float s = sinf((r + 0.5f) / W->around_rows * (float)M_PI);
        for (int c = 0; c < W->around_columns; c++) {
            const float *e = W->around + 3 * (r * W->around_columns + c);
            sum += (0.2f * e[0] + 0.7f * e[1] + 0.1f * e[2] + 0.01f) * s;
            W->summed[r * W->around_columns + c] = sum;
        }
    }
    W->sum = sum;
}
static V env_at(const World *W, V d, float *pdf) {
    float th = acosf(clamp(d.z, -1, 1)), ph = atan2f(d.y, d.x);
    if (ph < 0)
        ph += 2 * (float)M_PI;
    int r = (int)(th / (float)M_PI * W->around_rows), c = (int)(ph / (2 * (float)M_PI) * W->around_columns);
    if (r >= W->around_rows)
        r = W->around_rows - 1;
    if (c >= W->around_columns)
        c = W->around_columns - 1;
    const float *e = W->around + 3 * (r * W->around_columns + c);
    *pdf = (0.2f * e[0] + 0.7f * e[1] + 0.1f * e[2] + 0.01f) / W->sum * W->around_rows * W->around_columns /
           (2 * (float)(M_PI * M_PI));
    return v(e[0], e[1], e[2]);
}
static V env_pick(const World *W) {
    float x = rnd() * W->sum;
    int lo = 0, hi = W->around_rows * W->around_columns - 1;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (W->summed[m] < x)
            lo = m + 1;
        else
            hi = m;
    }
    int r = lo / W->around_columns, c = lo % W->around_columns;
    float th = (r + rnd()) / W->around_rows * (float)M_PI, ph = (c + rnd()) / W->around_columns * 2 * (float)M_PI;
    return v(sinf(th) * cosf(ph), sinf(th) * sinf(ph), cosf(th));
}

/* --- surfaces */
typedef struct {
    V n, alb, f0;
    float diff, a, coat;
} Surface;
static inline float ggx(float nh, float a) {
    float a2 = a * a, d = nh * nh * (a2 - 1) + 1;
    return a2 / ((float)M_PI * d * d);
}
static inline float shade1(float c, float a) {
    float k = a / 2 + 0.02f;
    return c / (c * (1 - k) + k);
}
#define COATA 0.03f
static V weigh(const Surface *s, V o, V i, float *pdf) {
    float no = dot(s->n, o), ni = dot(s->n, i);
    if (no <= 1e-3f || ni <= 1e-3f) {
        *pdf = 0;
        return v(0, 0, 0);
    }
    V h = unit(add(o, i));
    float nh = fmaxf(dot(s->n, h), 0), oh = fmaxf(dot(o, h), 1e-4f);
    float x = 1 - oh, x5 = x * x * x * x * x, D = ggx(nh, s->a),
          G = shade1(no, s->a) * shade1(ni, s->a) / (4 * no * ni);
    V F = add(s->f0, mul(sub(v(1, 1, 1), s->f0), x5));
    V f = add(mul(s->alb, s->diff / (float)M_PI), mul(F, D * G));
    float fl = peak(s->f0) + 0.06f, wd = s->diff * (0.2f + peak(s->alb)), wc = s->coat * 0.08f, sum = fl + wd + wc,
          p = wd / sum * ni / (float)M_PI + fl / sum * D * nh / (4 * oh);
    if (s->coat > 0.02f) {
        float Dc = ggx(nh, COATA), Fc = 0.04f + 0.96f * x5,
              c = 0.25f * s->coat * Fc * Dc * shade1(no, 0.25f) * shade1(ni, 0.25f) / (4 * no * ni);
        f = add(f, v(c, c, c));
        p += wc / sum * Dc * nh / (4 * oh);
    }
    *pdf = p;
    return mul(f, ni);
}
static void frame(V n, V *a, V *b) {
    *a = unit(fabsf(n.x) > 0.7f ? cross(v(0, 1, 0), n) : cross(v(1, 0, 0), n));
    *b = cross(n, *a);
}
static V pick(const Surface *s, V o) {
    V a, b;
    frame(s->n, &a, &b);
    float fl = peak(s->f0) + 0.06f, wd = s->diff * (0.2f + peak(s->alb)), wc = s->coat > 0.02f ? s->coat * 0.08f : 0,
          x = rnd() * (fl + wd + wc), u = rnd(), ph = 2 * (float)M_PI * rnd();
    if (x < wd) {
        float r = sqrtf(u);
        return add(add(mul(a, r * cosf(ph)), mul(b, r * sinf(ph))), mul(s->n, sqrtf(1 - u)));
    }
    float al = x < wd + fl ? s->a : COATA, c = sqrtf((1 - u) / (1 + (al * al - 1) * u)), r = sqrtf(fmaxf(0, 1 - c * c));
    V h = add(add(mul(a, r * cosf(ph)), mul(b, r * sinf(ph))), mul(s->n, c));
    return sub(mul(h, 2 * dot(h, o)), o);
}
static float waves(const float *w, V p) {
    float s = 0;
    for (int k = 0; k < 14; k++, w += 4)
        s += fcos(w[0] * p.x + w[1] * p.y + w[2] * p.z + w[3]);
    return s / 2.6457513f;
}
static float th(float x) {
    float e = expf(2 * clamp(x, -9, 9));
    return (e - 1) / (e + 1);
}
static float tap(const float *t, int rows, int columns, float x, float y) {
    x = clamp(x, 0, columns - 1.001f);
    y = clamp(y, 0, rows - 1.001f);
    int i = (int)x, j = (int)y;
    float a = x - i, b = y - j;
    const float *q = t + j * columns + i;
    return (q[0] * (1 - a) + q[1] * a) * (1 - b) + (q[columns] * (1 - a) + q[columns + 1] * a) * b;
}
/* the ink's cover at a point of a die in its own axes; bends its normal where it is engraved */
static float inked(const World *W, const Body *b, V p, V *n, int *facet) {
    const Plane *P = W->planes + b->first;
    int best = 0;
    float top = -1e9f;
    for (int i = 0; i < b->n; i++) {
        float o = dot(P[i].n, p) - P[i].far;
        if (o > top)
            top = o, best = i;
    }
    *facet = best;
    if (!b->cover)
        return 0;
    /* the point on the sharp solid from which this one came */
    V q = mul(p, P[best].far / fmaxf(dot(P[best].n, p), 1e-3f));
    V f = sub(mul(q, 1 / b->half), P[best].mid);
    float u = clamp(dot(f, P[best].right), -0.97f, 0.97f), w = clamp(dot(f, P[best].down), -0.97f, 0.97f);
    float x = (P[best].tile + (u + 1) / 2) * b->rows - 0.5f, y = (w + 1) / 2 * b->rows - 0.5f;
    if (n && b->cut > 0) {
        float gx = tap(b->depth, b->rows, b->columns, x + 1, y) - tap(b->depth, b->rows, b->columns, x - 1, y),
              gy = tap(b->depth, b->rows, b->columns, x, y + 1) - tap(b->depth, b->rows, b->columns, x, y - 1);
        V r = unit(P[best].right), d = unit(P[best].down);
        float pixel = 2.0f / b->rows / sqrtf(dot(P[best].right, P[best].right)) * b->half;
        *n = unit(add(*n, add(mul(r, gx / 2 / pixel), mul(d, gy / 2 / pixel))));
    }
    return tap(b->cover, b->rows, b->columns, x, y);
}
static V tone(const Material *m, V place) {
    if (!m->pattern)
        return m->color;
    V bend = place;
    if (m->pattern != 3)
        bend =
            add(place, mul(v(waves(m->waves, place), waves(m->waves + 56, place), waves(m->waves + 112, place)), 0.5f));
    float w = waves(m->waves + 168, m->pattern == 3 ? place : bend), s;
    if (m->pattern == 1) {
        s = 0.5f + 0.5f * th(1.5f * w);
        V c = add(mul(m->color, 0.55f + 0.5f * s), v(0.12f * s * s, 0.12f * s * s, 0.12f * s * s));
        return v(fminf(c.x, 1), fminf(c.y, 1), fminf(c.z, 1));
    }
    s = m->pattern == 3 ? 0.5f + 0.5f * th(8 * (w - 0.9f)) : 0.5f + 0.5f * th(4 * w);
    return add(m->color, mul(sub(m->second, m->color), s));
}
static V local(const Body *b, V d) {
    const float *R = b->turn;
    return v(R[0] * d.x + R[3] * d.y + R[6] * d.z, R[1] * d.x + R[4] * d.y + R[7] * d.z,
             R[2] * d.x + R[5] * d.y + R[8] * d.z);
}
static V world(const Body *b, V d) {
    const float *R = b->turn;
    return v(R[0] * d.x + R[1] * d.y + R[2] * d.z, R[3] * d.x + R[4] * d.y + R[5] * d.z,
             R[6] * d.x + R[7] * d.y + R[8] * d.z);
}
static float fresnel(float c, float eta) { /* eta: outside over inside as the light goes */
    float s2 = eta * eta * (1 - c * c);
    if (s2 >= 1)
        return 1;
    float t = sqrtf(1 - s2), a = (eta * c - t) / (eta * c + t), b = (c - eta * t) / (c + eta * t);
    return (a * a + b * b) / 2;
}

/* What a ray from the camera meets first: the ground's own color (1 for what has none), and whether it is a die. */
typedef struct {
    V own;
    int die;
} First;
/* Light that comes from the direction d to o, over at most so many meetings. With 0 meetings only `first` is found. */
static V trace(const World *W, V o, V d, int most, First *first) {
    /* `last` is the density with which the way was picked; negative: a mirror's */
    V L = {0, 0, 0}, T = {1, 1, 1};
    float last = -1;
    first->own = v(1, 1, 1);
    first->die = 0;
    int look = most == 0;
    if (look)
        most = 1;
    for (int depth = 0; depth < most; depth++) {
        Hit h;
        meet(W, o, d, &h);
        if (depth == 0 && h.body >= 0) {
            first->die = 1;
            if (look)
                return L;
        }
        if (depth == 0 && !look && !first->die)
            most--;
        for (int k = 0; k < 2; k++) {
            const Lamp *l = W->lamps + k;
            float dn = dot(d, l->way);
            if (dn >= -1e-5f)
                continue;
            float t = dot(sub(l->at, o), l->way) / dn;
            if (t < 1e-3f || t > h.t)
                continue;
            V q = sub(add(o, mul(d, t)), l->at);
            if (dot(q, q) > l->radius * l->radius)
                continue;
            float pdf = t * t / (-dn * (float)M_PI * l->radius * l->radius),
                  w = last < 0 ? 1 : last * last / (last * last + pdf * pdf);
            V c = mul(had(T, l->light), w);
            float p = peak(c);
            if (depth > 1 && p > W->clip)
                c = mul(c, W->clip / p);
            return add(L, c);
        }
        if (h.body < 0 && h.tri < 0) {
            float pdf;
            V e = env_at(W, d, &pdf);
            float w = last < 0 ? 1 : last * last / (last * last + pdf * pdf);
            V c = mul(had(T, e), w);
            float p = peak(c);
            if (depth > 1 && p > W->clip)
                c = mul(c, W->clip / p);
            return add(L, c);
        }
        V p = add(o, mul(d, h.t));
        Surface s;
        const Material *m;
        s.coat = 0;
        V gn;
        if (h.body >= 0) {
            const Body *b = W->bodies + h.body;
            m = W->materials + b->mat;
            V lp = local(b, sub(p, b->place)), ln = local(b, h.n);
            int facet;
            gn = h.n;
            float ink = inked(W, b, lp, &ln, &facet);
            s.n = world(b, ln);
            if (rnd() < ink) {
                s.alb = m->ink;
                s.a = 0.12f;
                float me = m->ink_metal;
                s.diff = 1 - me;
                s.f0 = add(mul(m->ink, me), mul(v(0.032f, 0.032f, 0.032f), 1 - me));
            } else if (m->clear > 0.5f && rnd() > m->milk) {
                /* clear plastic: through the convex body, mirrored inside as often as need be */
                float c = -dot(d, s.n);
                if (c < 0.02f)
                    c = 0.02f;
                if (rnd() < fresnel(c, 1 / 1.45f)) {
                    d = unit(add(d, mul(s.n, 2 * c)));
                    o = add(p, mul(gn, 2e-3f));
                    last = -1;
                    continue;
                }
                float eta = 1 / 1.45f;
                V id =
                    unit(add(mul(local(b, d), eta), mul(ln, eta * c - sqrtf(fmaxf(0, 1 - eta * eta * (1 - c * c))))));
                V ip = lp;
                int out = 0;
                for (int k = 0; k < 5 && !out; k++) {
                    const Plane *P = W->planes + b->first;
                    float t1 = 1e9f;
                    int side = -1;
                    for (int i = 0; i < b->n; i++) {
                        float dn = dot(P[i].n, id);
                        if (dn > 1e-6f) {
                            float t = (P[i].far - dot(P[i].n, ip)) / dn;
                            if (t < t1)
                                t1 = t, side = i;
                        }
                    }
                    if (side < 0)
                        break;
                    V q = add(ip, mul(id, fmaxf(t1, 0)));
                    int fc;
                    V en = P[side].n, bent = en;
                    float far = inked(W, b, mul(q, 0.999f), &bent, &fc);
                    T = had(T, m->second); /* tint, for each way through */
                    if (rnd() < far) {
                        T = had(T, mul(m->ink, 0.6f));
                        V a, bb;
                        frame(en, &a, &bb);
                        float u = rnd(), ph = 6.2831853f * rnd(), r = sqrtf(u);
                        id = add(add(mul(a, r * cosf(ph)), mul(bb, r * sinf(ph))), mul(en, sqrtf(1 - u)));
                        ip = q;
                        out = 1;
                        break;
                    }
                    float ci = dot(id, en), F = fresnel(ci, 1.45f);
                    if (rnd() < F) {
                        id = sub(id, mul(en, 2 * ci));
                        ip = q;
                    } else {
                        float e2 = 1.45f;
                        id = unit(sub(mul(id, e2), mul(en, e2 * ci - sqrtf(fmaxf(0, 1 - e2 * e2 * (1 - ci * ci))))));
                        ip = q;
                        out = 1;
                    }
                }
                if (!out)
                    return L;
                d = world(b, id);
                V wp = add(b->place, world(b, ip));
                o = add(wp, mul(d, 0.05f));
                last = -1;
                if (depth == 0)
                    depth = 0;
                continue;
            } else {
                V c = m->clear > 0.5f ? m->color : tone(m, mul(lp, 1 / b->half));
                s.alb = c;
                s.diff = 1 - m->metal;
                s.a = fmaxf(0.02f, m->rough * m->rough);
                float g = 0.08f * m->gloss;
                s.f0 = add(mul(c, m->metal), mul(v(g, g, g), 1 - m->metal));
                s.coat = m->coat;
            }
        } else {
            const Triangle *Tr = W->triangles + h.tri;
            m = W->materials + Tr->mat;
            const Point *A = W->points + Tr->i[0], *B = W->points + Tr->i[1], *C = W->points + Tr->i[2];
            float q = 1 - h.u - h.w;
            V n = unit(add(add(mul(A->n, q), mul(B->n, h.u)), mul(C->n, h.w))), c;
            gn = unit(cross(Tr->e, Tr->f));
            if (dot(gn, n) < 0)
                gn = mul(gn, -1);
            if (dot(gn, d) > 0) {
                gn = mul(gn, -1);
                n = mul(n, -1);
            }
            if (m->picture) {
                float u = A->u * q + B->u * h.u + C->u * h.w, w = A->w * q + B->w * h.u + C->w * h.w;
                u = (u - floorf(u)) * m->columns;
                w = (w - floorf(w)) * m->rows;
                int i = (int)u % m->columns, j = (int)w % m->rows, i1 = (i + 1) % m->columns, j1 = (j + 1) % m->rows;
                float a = u - (int)u, bb = w - (int)w;
                const float *t = m->picture;
                float k00 = (1 - a) * (1 - bb), k10 = a * (1 - bb), k01 = (1 - a) * bb, k11 = a * bb;
                float cc[3];
                for (int k = 0; k < 3; k++)
                    cc[k] = t[3 * (j * m->columns + i) + k] * k00 + t[3 * (j * m->columns + i1) + k] * k10 +
                            t[3 * (j1 * m->columns + i) + k] * k01 + t[3 * (j1 * m->columns + i1) + k] * k11;
                c = v(cc[0], cc[1], cc[2]);
                const float *r = m->relief;
                float px = m->wide / m->columns;
                float gx = (r[j * m->columns + i1] - r[j * m->columns + i]) / px,
                      gy = (r[j1 * m->columns + i] - r[j * m->columns + i]) / px;
                /* directions of the picture on the triangle */
                float du1 = B->u - A->u, dw1 = B->w - A->w, du2 = C->u - A->u, dw2 = C->w - A->w,
                      det = du1 * dw2 - du2 * dw1;
                if (fabsf(det) > 1e-12f) {
                    V tu = unit(mul(sub(mul(Tr->e, dw2), mul(Tr->f, dw1)), 1 / det)),
                      tw = unit(mul(sub(mul(Tr->f, du1), mul(Tr->e, du2)), 1 / det));
                    n = unit(sub(n, add(mul(tu, clamp(gx, -1.5f, 1.5f)), mul(tw, clamp(gy, -1.5f, 1.5f)))));
                }
            } else
                c = add(add(mul(A->col, q), mul(B->col, h.u)), mul(C->col, h.w));
            s.n = n;
            s.alb = c;
            s.diff = 1 - m->metal;
            s.a = fmaxf(0.02f, m->rough * m->rough);
            float g = 0.08f * m->gloss;
            s.f0 = add(mul(c, m->metal), mul(v(g, g, g), 1 - m->metal));
            s.coat = m->coat;
        }
        V out = mul(d, -1);
        if (depth == 0 && !first->die) {
            first->own = s.alb;
            if (look)
                return L;
        }
        if (dot(s.n, out) < 0.02f) {
            s.n = unit(add(s.n, mul(out, 0.03f - dot(s.n, out))));
        }
        V start = add(p, mul(gn, 3e-3f));
        /* light that comes straight from lamps and surroundings */
        int only = depth == 0 ? -1 : (int)(rnd() * 3);
        float times = depth == 0 ? 1 : 3;
        for (int k = 0; k < 3; k++) {
            if (only >= 0 && k != only)
                continue;
            V way, e;
            float pdf, far;
            if (k < 2) {
                const Lamp *l = W->lamps + k;
                V a, b;
                frame(l->way, &a, &b);
                float r = l->radius * sqrtf(rnd()), ph = 6.2831853f * rnd();
                V q = add(l->at, add(mul(a, r * cosf(ph)), mul(b, r * sinf(ph))));
                way = sub(q, p);
                float t2 = dot(way, way);
                far = sqrtf(t2);
                way = mul(way, 1 / far);
                float c = -dot(way, l->way);
                if (c <= 1e-3f)
                    continue;
                pdf = t2 / (c * (float)M_PI * l->radius * l->radius);
                e = l->light;
                far -= 0.02f;
            } else {
                way = env_pick(W);
                e = env_at(W, way, &pdf);
                far = 1e8f;
            }
            if (dot(gn, way) <= 1e-3f || dot(s.n, way) <= 1e-3f)
                continue;
            float bp;
            V f = weigh(&s, out, way, &bp);
            if (bp <= 0)
                continue;
            float w = pdf * pdf / (pdf * pdf + bp * bp);
            V c = mul(had(had(T, f), e), w * times / pdf);
            if (peak(c) < 1e-4f)
                continue;
            float openness = open_way(W, start, way, far);
            if (openness <= 0)
                continue;
            c = mul(c, openness);
            float pk = peak(c);
            if (depth > 0 && pk > W->clip)
                c = mul(c, W->clip / pk);
            L = add(L, c);
        }
        if (depth + 1 == most)
            return L;
        V way = pick(&s, out);
        if (dot(gn, way) <= 1e-3f)
            return L;
        float pdf;
        V f = weigh(&s, out, way, &pdf);
        if (pdf <= 1e-8f)
            return L;
        T = mul(had(T, f), 1 / pdf);
        last = pdf;
        if (depth >= 1) {
            float keep = clamp(peak(T), 0.05f, 0.95f);
            if (rnd() > keep)
                return L;
            T = mul(T, 1 / keep);
        }
        o = start;
        d = way;
    }
    return L;
}

static V ray(const World *W, float x, float y) {
    V l = v((x - (W->wide - 1) / 2.0f) / W->focal, (y - (W->tall - 1) / 2.0f) / W->focal, 1);
    return unit(add(add(mul(W->axes[0], l.x), mul(W->axes[1], l.y)), W->axes[2]));
}
/* For each pixel: the light of dice (3), the mean over all its rays; the ground's own color (3), the same; the sum of
   the light on a white ground (3), and of how many rays. Pixels without rays get the own color alone. */
void render(const World *W, const uint8_t *rays, uint64_t seed, float *dice, float *own, float *light, float *count) {
    for (int y = 0; y < W->tall; y++)
        for (int x = 0; x < W->wide; x++) {
            int at = y * W->wide + x, n = rays[at], all = n > 2 ? n : 2;
            V sum = {0, 0, 0}, color = {0, 0, 0}, shine = {0, 0, 0};
            float lit = 0;
            state = (seed * 1000003ULL + (uint64_t)at) * 0x9E3779B97F4A7C15ULL;
            rnd();
            rnd();
            float jx = rnd(), jy = rnd();
            for (int k = 0; k < all; k++) {
                float a = jx + k * 0.7548777f, b = jy + k * 0.5698403f;
                a -= floorf(a);
                b -= floorf(b);
                V d = ray(W, x + a - 0.5f, y + b - 0.5f);
                First first;
                V c = trace(W, W->eye, d, k < n ? MEETINGS : 0, &first);
                if (!(c.x == c.x && c.y == c.y && c.z == c.z))
                    c = v(0, 0, 0);
                if (first.die) {
                    sum = add(sum, c);
                    continue;
                }
                color = add(color, first.own);
                if (k < n) {
                    lit++;
                    shine =
                        add(shine, v(c.x / (first.own.x + OWN), c.y / (first.own.y + OWN), c.z / (first.own.z + OWN)));
                }
            }
            float *q = dice + 3 * at, *t = own + 3 * at, *l = light + 3 * at;
            q[0] = sum.x / all;
            q[1] = sum.y / all;
            q[2] = sum.z / all;
            t[0] = color.x / all;
            t[1] = color.y / all;
            t[2] = color.z / all;
            l[0] = shine.x;
            l[1] = shine.y;
            l[2] = shine.z;
            count[at] = lit;
        }
}
void owners(const World *W, int32_t *owner, int32_t *facet) {
    for (int y = 0; y < W->tall; y++)
        for (int x = 0; x < W->wide; x++) {
            V d = ray(W, x, y);
            Hit h;
            int at = y * W->wide + x;
            owner[at] = facet[at] = -1;
            float t;
            V n;
            int near = 0;
            for (int i = 0; i < W->body_count; i++)
                if (meet_body(W, W->bodies + i, W->eye, d, 1e9f, &t, &n))
                    near = 1;
            if (near && meet(W, W->eye, d, &h) && h.body >= 0) {
                const Body *b = W->bodies + h.body;
                int f;
                inked(W, b, local(b, sub(add(W->eye, mul(d, h.t)), b->place)), 0, &f);
                owner[at] = b->owner;
                facet[at] = f;
            }
        }
}
