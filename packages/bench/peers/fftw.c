/*
 * The native peer FFTW: single precision, one thread, FFTW_MEASURE, in place. Answers each line "n lines milliseconds" with the
 * milliseconds that a batch takes, the mean over a window of at least that length, without planning.
 *     gcc -O2 fftw.c -lfftw3f -lm
 */
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

int main(void) {
  int n, lines, plannedLength = 0, plannedLines = 0;
  double window;
  fftwf_complex *x = NULL;
  fftwf_plan plan = NULL;
  while (scanf("%d %d %lf", &n, &lines, &window) == 3) {
    size_t numbers = 2 * (size_t)n * lines;
    if (n != plannedLength || lines != plannedLines) {
      if (plan) {
        fftwf_destroy_plan(plan);
        fftwf_free(x);
      }
      x = fftwf_malloc(numbers * sizeof(float));
      plan = fftwf_plan_many_dft(1, &n, lines, x, NULL, 1, n, x, NULL, 1, n, FFTW_FORWARD, FFTW_MEASURE);
      plannedLength = n;
      plannedLines = lines;
    }
    for (size_t i = 0; i < numbers; i++) ((float *)x)[i] = rand() / (float)RAND_MAX - 0.5f;
    double start = now(), end;
    int runs = 0;
    do {
      fftwf_execute(plan);
      runs++;
      end = now();
    } while (end - start < window);
    printf("%.9g\n", (end - start) / runs);
    fflush(stdout);
  }
  return 0;
}
